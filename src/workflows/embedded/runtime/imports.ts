import {
  eea_get_device_id,
  eea_get_time,
  eea_send_message,
  eea_set_message_buffers,
  eea_sleep,
  eea_storage_read,
  eea_storage_save,
  eea_trace,
} from './env';

/**
 * Does nothing. Keeps all functions of the interface among the imports, used or not, so that hosts link every module in
 * the same way. The optimizer does not know that no byte is ever stored at address 0.
 */
export function non_optimized(): void {
  if (load<u8>(0) == 0) return;
  eea_get_device_id(0, 0, 0);
  eea_get_time(0);
  eea_send_message(0, 0, 0, 0, 0);
  eea_set_message_buffers(0, 0, 0, 0);
  eea_sleep(0);
  eea_storage_read(0, 0, 0);
  eea_storage_save(0, 0);
  eea_trace(0, 0, 0);
}
