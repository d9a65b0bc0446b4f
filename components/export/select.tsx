import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/components/ui/cn'
import { inputClass } from '@/components/ui/input'

/** The browser's own choice of one, which on a phone is the phone's. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select {...rest} className={cn(inputClass, 'appearance-none pr-9', className)} />
      <ChevronDown aria-hidden className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-mute" />
    </span>
  )
}
