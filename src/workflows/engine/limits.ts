/** Limits of the engine. */

/** Duration of a run in milliseconds, including all delays. */
export const MAX_RUN_MILLISECONDS = 60_000;
/** Nodes that a run executes, including those of loops and custom nodes. Ends workflows whose outputs form a cycle. */
export const MAX_NODES = 1_000_000;
/** Paths of a run that can be ready to continue at once. Each of them retains a payload. */
export const MAX_READY_PATHS = 10_000;
/** Loops and custom nodes inside each other. */
export const MAX_NESTING = 100;
/** Rounds of a loop. */
export const MAX_ROUNDS = 262_144;
/** Size of a payload that is handed to a script, and of a text in a payload, in bytes. */
export const MAX_PAYLOAD_BYTES = 5 * 1024 * 1024;
/** Size of a payload that is handed to triggers of errors, in bytes of JSON. */
export const MAX_ERRORED_PAYLOAD_BYTES = 256 * 1024;
