import type { ReactNode } from 'react'
import { cn } from './cn'

export function Badge({ tone = 'fill', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={cn('inline-flex max-w-full items-center rounded-sm px-2 text-xs leading-5 font-medium', tones[tone])}
    >
      {children}
    </span>
  )
}

const tones = {
  fill: 'bg-fill text-ink',
  outline: 'border border-line leading-4.5 text-mute',
  warn: 'bg-warn text-warn-ink',
  danger: 'bg-danger-soft text-danger-ink',
}
