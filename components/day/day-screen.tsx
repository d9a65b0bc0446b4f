'use client'

import { useRef } from 'react'
import { useCommands } from '@/components/desk/commands'
import { DayContent } from './day-content'

export function DayScreen() {
  const screen = useRef<HTMLDivElement>(null)
  const links = () => [...(screen.current?.querySelectorAll<HTMLElement>('[data-day-line]') ?? [])]
  const move = (step: 1 | -1) => () => {
    const all = links()
    const at = all.findIndex((link) => link === document.activeElement)
    const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : at + step
    all[Math.min(all.length - 1, Math.max(0, next))]?.focus()
  }
  useCommands({ next: move(1), previous: move(-1), open: () => links()[0]?.click() })
  return (
    <div ref={screen} className="mx-auto w-full max-w-295 px-4 pt-5 pb-10 desk:px-8 desk:pt-7">
      <DayContent />
    </div>
  )
}
