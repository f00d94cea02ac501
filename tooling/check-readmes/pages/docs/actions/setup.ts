/** @module The blocks of this page need nothing besides. */
export {}
