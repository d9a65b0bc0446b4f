import { type ClassValue, clsx } from 'clsx'

/**
 * Joins class names. It does not resolve conflicts (that costs 8 kB in the browser):
 * a variant, not an override, is the way to change what a component sets itself.
 */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes)
}
