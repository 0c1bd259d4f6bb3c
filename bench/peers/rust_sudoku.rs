// The functions of bench/peers/native.py for Emerentius' crate sudoku.
use std::slice::{from_raw_parts, from_raw_parts_mut};
use sudoku::{Sudoku, Symmetry};

unsafe fn puzzle(lines: *const u8, k: usize) -> Sudoku {
    let line = std::str::from_utf8_unchecked(from_raw_parts(lines.add(82 * k), 81));
    Sudoku::from_str_line(line).unwrap()
}

unsafe fn write(lines: *mut u8, k: usize, grid: &Sudoku) {
    let line = from_raw_parts_mut(lines.add(82 * k), 82);
    line[..81].copy_from_slice(grid.to_str_line().as_bytes());
    line[81] = b'\n';
}

#[no_mangle]
pub unsafe extern "C" fn peer_solve(lines: *const u8, n: usize, limit: usize, counts: *mut u64, grids: *mut u8, _: *mut u64) {
    for k in 0..n {
        if limit == 1 {
            let found = puzzle(lines, k).some_solution();
            *counts.add(k) = found.is_some() as u64;
            if let Some(grid) = found {
                write(grids, k, &grid);
            }
        } else {
            *counts.add(k) = puzzle(lines, k).solutions_count_up_to(limit) as u64;
        }
    }
}

#[no_mangle]
pub unsafe extern "C" fn peer_generate(n: usize, half_turn: i32, lines: *mut u8) {
    for k in 0..n {
        let made = if half_turn != 0 { Sudoku::generate() } else { Sudoku::generate_with_symmetry(Symmetry::None) };
        write(lines, k, &made);
    }
}

#[no_mangle]
pub unsafe extern "C" fn peer_canonical(lines: *const u8, n: usize, forms: *mut u8) {
    for k in 0..n {
        if let Some((form, _)) = puzzle(lines, k).canonicalized() {
            write(forms, k, &form);
        }
    }
}
