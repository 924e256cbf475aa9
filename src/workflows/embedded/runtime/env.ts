/** Functions that the host supplies in the module `env`. Each returns 0 for success. */
export declare function eea_get_device_id(buffer: usize, size: i32, length: usize): i32;
export declare function eea_get_time(time: usize): i32;
export declare function eea_send_message(
  topic: usize,
  topicLength: i32,
  payload: usize,
  payloadLength: i32,
  qos: i32,
): i32;
export declare function eea_set_message_buffers(
  topic: usize,
  topicSize: i32,
  payload: usize,
  payloadSize: i32,
): i32;
export declare function eea_sleep(milliseconds: i32): i32;
export declare function eea_storage_read(buffer: usize, size: i32, length: usize): i32;
export declare function eea_storage_save(text: usize, length: i32): i32;
export declare function eea_trace(text: usize, length: i32, level: i32): i32;
