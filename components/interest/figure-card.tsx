import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

type CardProps = {
  name: string
  value: string
  /** Takes a row of its own where two stand beside each other. */
  isWide?: boolean
  children: ReactNode
}

const LONGEST_NUMBER = 9

/** One number with its name above it and what it is to be compared with beneath. */
export function Card({ name, value, isWide = false, children }: CardProps) {
  return (
    <div
      className={cn(
        'flex min-w-0 flex-col rounded-lg border border-line bg-panel px-4 py-3 print:rounded-none print:p-2',
        isWide && 'col-span-full desk:col-span-1 print:col-span-1',
      )}
    >
      <dt className="text-xs text-mute">{name}</dt>
      <dd className="flex flex-1 flex-col">
        <strong
          className={cn(
            'tabular leading-9 font-semibold tracking-tight',
            // Hours and minutes stay in one line.
            value.length > LONGEST_NUMBER
              ? 'text-[1.125rem] min-[84rem]:text-xl min-[90rem]:text-[1.75rem]'
              : 'text-xl min-[84rem]:text-[1.75rem]',
          )}
        >
          {value}
        </strong>
        <span className="tabular text-xs text-mute">{children}</span>
      </dd>
    </div>
  )
}
