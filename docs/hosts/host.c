/*
 * Minimal host on `wasm.h`, the C interface that WebAssembly runtimes share.
 * `host module.wasm 5` runs a module for five seconds and prints its actions. Compile the module with `exportMemory`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wasm.h>

#define ID_LENGTH 24

static const char *device_id = "0123456789abcdef01234567";
static wasm_memory_t *memory;
/* Buffers of the module for topics, or IDs of direct triggers, and for payloads. */
static struct {
  uint32_t topic, topic_size, payload, payload_size;
} buffers;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* Memory of the module. Read it again in each call, because it moves when it grows. */
static byte_t *at(uint32_t address, uint32_t length) {
  if ((uint64_t)address + length > wasm_memory_data_size(memory)) fail("beyond the memory of the module");
  return wasm_memory_data(memory) + address;
}

/* Imported functions: arguments are i32 unless stated otherwise, and 0 is success. */
#define ARGUMENT(i) ((uint32_t)args->data[i].of.i32)
#define IMPORT(name)                                                                              \
  static wasm_trap_t *name(const wasm_val_vec_t *args, wasm_val_vec_t *results)
#define ANSWER(code)                                                                              \
  results->data[0] = (wasm_val_t){.kind = WASM_I32, .of = {.i32 = (code)}};                       \
  return NULL

IMPORT(eea_get_device_id) {
  uint8_t length = ID_LENGTH;
  if (ARGUMENT(1) < ID_LENGTH) {
    ANSWER(1);
  }
  memcpy(at(ARGUMENT(0), ID_LENGTH), device_id, ID_LENGTH);
  memcpy(at(ARGUMENT(2), 1), &length, 1);
  ANSWER(0);
}

/* Integers in memory are little-endian, like on nearly all devices. */
IMPORT(eea_get_time) {
  uint64_t time = (uint64_t)now();
  memcpy(at(ARGUMENT(0), sizeof time), &time, sizeof time);
  ANSWER(0);
}

/* Texts have a length and no terminating zero. */
IMPORT(eea_send_message) {
  printf("%u %.*s %.*s\n", ARGUMENT(4), (int)ARGUMENT(1), at(ARGUMENT(0), ARGUMENT(1)),
         (int)ARGUMENT(3), at(ARGUMENT(2), ARGUMENT(3)));
  fflush(stdout);
  ANSWER(0);
}

IMPORT(eea_set_message_buffers) {
  buffers.topic = ARGUMENT(0);
  buffers.topic_size = ARGUMENT(1);
  buffers.payload = ARGUMENT(2);
  buffers.payload_size = ARGUMENT(3);
  ANSWER(0);
}

static void wait_for(uint32_t milliseconds) {
  struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
  nanosleep(&time, NULL);
}

IMPORT(eea_sleep) {
  wait_for(ARGUMENT(0));
  ANSWER(0);
}

/* Leaves the length untouched: nothing is stored. */
IMPORT(eea_storage_read) {
  (void)args;
  ANSWER(0);
}

IMPORT(eea_storage_save) {
  fprintf(stderr, "storage %.*s\n", (int)ARGUMENT(1), at(ARGUMENT(0), ARGUMENT(1)));
  ANSWER(0);
}

IMPORT(eea_trace) {
  fprintf(stderr, "%u %.*s\n", ARGUMENT(2), (int)ARGUMENT(1), at(ARGUMENT(0), ARGUMENT(1)));
  ANSWER(0);
}

/* A registered function: one input i32, one output i32. */
IMPORT(eea_fn_gpio_get_level) {
  int32_t level = (int32_t)ARGUMENT(0) % 2;
  memcpy(at(ARGUMENT(1), sizeof level), &level, sizeof level);
  ANSWER(0);
}

static const struct {
  const char *name;
  wasm_func_callback_t call;
} IMPORTS[] = {
    {"eea_get_device_id", eea_get_device_id},
    {"eea_get_time", eea_get_time},
    {"eea_send_message", eea_send_message},
    {"eea_set_message_buffers", eea_set_message_buffers},
    {"eea_sleep", eea_sleep},
    {"eea_storage_read", eea_storage_read},
    {"eea_storage_save", eea_storage_save},
    {"eea_trace", eea_trace},
    {"eea_fn_gpio_get_level", eea_fn_gpio_get_level},
};

static int named(const wasm_name_t *name, const char *text) {
  return name->size == strlen(text) && memcmp(name->data, text, name->size) == 0;
}

/* The function for an import, with the requested type. */
static wasm_extern_t *import_of(wasm_store_t *store, const wasm_importtype_t *import) {
  const wasm_functype_t *type = wasm_externtype_as_functype_const(wasm_importtype_type(import));
  for (size_t i = 0; type && i < sizeof IMPORTS / sizeof IMPORTS[0]; i++)
    if (named(wasm_importtype_name(import), IMPORTS[i].name))
      return wasm_func_as_extern(wasm_func_new(store, type, IMPORTS[i].call));
  fail("the module imports what this host does not have");
  return NULL;
}

static wasm_module_t *module;
static wasm_extern_vec_t exported;

/* The export of the module with a name. */
static wasm_extern_t *export_of(const char *name) {
  wasm_exporttype_vec_t types;
  wasm_extern_t *found = NULL;
  wasm_module_exports(module, &types);
  for (size_t i = 0; i < types.size; i++)
    if (named(wasm_exporttype_name(types.data[i]), name)) found = exported.data[i];
  wasm_exporttype_vec_delete(&types);
  if (!found) fail(name);
  return found;
}

/* Calls an exported function and returns its i32. */
static int32_t call(const char *name, size_t count, wasm_val_t *values) {
  wasm_val_t result = {.kind = WASM_I32};
  wasm_val_vec_t args = {count, values}, results = {1, &result};
  if (wasm_func_call(wasm_extern_as_func(export_of(name)), &args, &results)) fail("the module trapped");
  return result.of.i32;
}

/* Passes a message to the module. */
static int32_t receive(const char *name, const char *topic, const char *payload) {
  uint32_t lengths[] = {(uint32_t)strlen(topic), (uint32_t)strlen(payload)};
  if (lengths[0] > buffers.topic_size || lengths[1] > buffers.payload_size) return 1;
  memcpy(at(buffers.topic, lengths[0]), topic, lengths[0]);
  memcpy(at(buffers.payload, lengths[1]), payload, lengths[1]);
  wasm_val_t values[] = {{.kind = WASM_I32, .of = {.i32 = (int32_t)lengths[0]}},
                         {.kind = WASM_I32, .of = {.i32 = (int32_t)lengths[1]}}};
  return call(name, 2, values);
}

static wasm_byte_vec_t contents(const char *path) {
  wasm_byte_vec_t bytes;
  FILE *file = fopen(path, "rb");
  if (!file) fail("the module cannot be read");
  fseek(file, 0, SEEK_END);
  wasm_byte_vec_new_uninitialized(&bytes, (size_t)ftell(file));
  rewind(file);
  if (fread(bytes.data, 1, bytes.size, file) != bytes.size) fail("the module cannot be read");
  fclose(file);
  return bytes;
}

int main(int count, char **arguments) {
  if (count < 2) fail("host module.wasm [seconds] [id of a direct trigger] [its JSON]");
  wasm_byte_vec_t bytes = contents(arguments[1]);
  wasm_store_t *store = wasm_store_new(wasm_engine_new());
  module = wasm_module_new(store, &bytes);
  if (!module) fail("this is no module");

  wasm_importtype_vec_t imports;
  wasm_module_imports(module, &imports);
  wasm_extern_vec_t given;
  wasm_extern_vec_new_uninitialized(&given, imports.size);
  for (size_t i = 0; i < imports.size; i++) given.data[i] = import_of(store, imports.data[i]);
  wasm_instance_t *instance = wasm_instance_new(store, module, &given, NULL);
  if (!instance) fail("the module cannot be started");
  wasm_instance_exports(instance, &exported);
  memory = wasm_extern_as_memory(export_of("memory"));

  if (call("eea_init", 0, NULL) != 0) fail("eea_init failed");
  if (count > 4) receive("eea_direct_trigger", arguments[3], arguments[4]);
  int64_t end = now() + (count > 2 ? atoi(arguments[2]) : 5) * 1000;
  while (now() < end) {
    wasm_val_t tick = {.kind = WASM_I64, .of = {.i64 = now()}};
    call("eea_loop", 1, &tick);
    wait_for(50);
  }
  return call("eea_shutdown", 0, NULL);
}
