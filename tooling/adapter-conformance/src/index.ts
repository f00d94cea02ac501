/** @module What holds for every adapter, written once. */
export {}
