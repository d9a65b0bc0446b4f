import type { ComponentProps } from 'react'
import { cn } from './cn'

/** 16 px on touch screens: with less, iOS zooms the page on focus. */
export const inputClass =
  'h-9 w-full rounded-md border border-field-line bg-panel px-3 text-base text-ink transition-colors aria-invalid:border-danger focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:opacity-60 touch:h-11 touch:text-[1rem]'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cn(inputClass, className)} />
}
