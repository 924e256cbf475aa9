/*
 * What a bundle is made of, here of nothing: compiling puts a file of this shape in place of this one.
 */

/** The most that is traced: 0 nothing, 1 errors, 2 everything. */
export const TRACE_LEVEL: i32 = 0;
/** Whether debug messages are sent. */
export const DEBUG: bool = true;
/** Whether a node uses the device's storage. */
export const STORAGE: bool = false;
/** The most paths that may wait in a run. */
export const DEEPEST_STACK: i32 = 1024;
/** How many places nodes have to remember something between runs. */
export const SLOTS: i32 = 0;

/** JSON of all constants, one after the other, and where each begins; one more for the end. */
export const CONSTANTS: i32 = 0;
export const CONSTANT_BYTES: usize = memory.data<u8>([0]);
export const CONSTANT_STARTS: usize = memory.data<i32>([0]);

/** Of each trigger, as `Trigger` in triggers.ts reads it. */
export const TRIGGERS: i32 = 0;
export const TRIGGER_TABLE: usize = memory.data<i32>([0]);
/** Of each workflow four constants: id, name, version, globals. */
export const FLOW_TABLE: usize = memory.data<i32>([0]);
/**
 * Of each step the constant of its node's id, and then its outputs: how many there are, and of each how many steps follow,
 * and which.
 */
export const STEP_TABLE: usize = memory.data<i32>([0]);
/** Where each step, and after them each trigger, begins in STEP_TABLE. */
export const STEP_STARTS: usize = memory.data<i32>([0]);
/** How many steps there are. */
export const STEPS: i32 = 0;

/** Constants: the ids of device and deployment, and the first level of topics. */
export const DEVICE_ID: i32 = 0;
export const DEPLOYMENT_ID: i32 = 0;
export const TOPIC_PREFIX: i32 = 0;

export const BUNDLE_IDENTIFIER: usize = memory.data<u8>([0]);
export const BUNDLE_IDENTIFIER_LENGTH: usize = memory.data<u8>([0]);
export const INTERFACE_VERSION: usize = memory.data<u8>([0]);
export const INTERFACE_VERSION_LENGTH: usize = memory.data<u8>([0]);
