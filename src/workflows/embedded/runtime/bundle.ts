/* Data of an empty bundle. Compilation replaces this file with one of the same shape. */

/** Maximum trace level: 0 nothing, 1 errors, 2 everything. */
export const TRACE_LEVEL: i32 = 0;
/** Whether debug messages are sent. */
export const DEBUG: bool = true;
/** Whether any node uses the device's storage. */
export const STORAGE: bool = false;
/** Maximum number of pending paths in a run. */
export const DEEPEST_STACK: i32 = 1024;
/** Number of slots in which nodes keep values between runs. */
export const SLOTS: i32 = 0;

/** Concatenated JSON of all constants, and the start of each one, plus the end. */
export const CONSTANTS: i32 = 0;
export const CONSTANT_BYTES: usize = memory.data<u8>([0]);
export const CONSTANT_STARTS: usize = memory.data<i32>([0]);

/** Trigger table, in the format read by `Trigger` in triggers.ts. */
export const TRIGGERS: i32 = 0;
export const TRIGGER_TABLE: usize = memory.data<i32>([0]);
/** Four constants per workflow: ID, name, version, globals. */
export const FLOW_TABLE: usize = memory.data<i32>([0]);
/**
 * For each step, the constant of its node ID and its outputs: the number of outputs, and for each one the number of
 * following steps and the steps themselves.
 */
export const STEP_TABLE: usize = memory.data<i32>([0]);
/** Offset in STEP_TABLE of each step, followed by each trigger. */
export const STEP_STARTS: usize = memory.data<i32>([0]);
/** Number of steps. */
export const STEPS: i32 = 0;

/** IDs of the device and deployment, 24 bytes each. They are replaced in the compiled module. */
export const DEVICE_ID: usize = memory.data<u8>([0]);
export const DEPLOYMENT_ID: usize = memory.data<u8>([0]);
/** Constant with the first level of topics. */
export const TOPIC_PREFIX: i32 = 0;

export const BUNDLE_IDENTIFIER: usize = memory.data<u8>([0]);
export const BUNDLE_IDENTIFIER_LENGTH: usize = memory.data<u8>([0]);
export const INTERFACE_VERSION: usize = memory.data<u8>([0]);
export const INTERFACE_VERSION_LENGTH: usize = memory.data<u8>([0]);
