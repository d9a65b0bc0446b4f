/* Browsers import this file, so it does without zod. */

/** The order is that of the screens. */
export const ROLES = ['staff', 'manager', 'admin'] as const

/** A session ends after this many hours without use. */
export const IDLE_HOURS: Readonly<Record<(typeof ROLES)[number], number>> = { staff: 8, manager: 8, admin: 1 }
