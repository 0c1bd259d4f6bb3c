/* A plugin of QEMU's user mode that counts the instructions of a program and prints them at the end: bench/emulated.py.
 *
 * The declarations are those of qemu-plugin.h, version 1, which few systems have as a file. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

struct qemu_plugin_tb;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*callback)(uint64_t, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *number, uint64_t more);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*callback)(uint64_t, void *), void *data);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;
static uint64_t number;

static void translated(uint64_t id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &number, qemu_plugin_tb_n_insns(block)); /* 0: add */
}

static void at_exit(uint64_t id, void *data) {
  (void)id, (void)data;
  fprintf(stderr, "instructions %" PRIu64 "\n", number);
}

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
  (void)info, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, at_exit, NULL);
  return 0;
}
