"""List for PyInstaller the Python and native modules that are imported by name, and the files they read."""

from importlib.util import find_spec

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

hiddenimports = collect_submodules("unidoku", filter=lambda name: "__pyinstaller" not in name)
by_name = ("backports.zstd", "compression.zstd", "isal.igzip", "fsspec.core")  # see unidoku._compat
hiddenimports += [name for name in by_name if find_spec(name.partition(".")[0]) and find_spec(name)]
datas = collect_data_files("unidoku", excludes=["**/*.c", "**/*.h", "**/*.p[yx]*", "**/*.po"])
