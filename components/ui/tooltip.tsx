'use client'

import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Kbd } from './kbd'
import { usePlacement } from './use-placement'

const delayMs = 450

/** Says again, for the eye, what the button inside is called; a touch screen never shows it. */
export function Tooltip({
  label,
  shortcut,
  children,
}: {
  label: string
  shortcut?: string | undefined
  children: ReactNode
}) {
  const anchor = useRef<HTMLSpanElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const { open, listeners } = useAttention()
  const place = usePlacement(anchor, box, open, { side: 'bottom', align: 'center' })
  useEffect(() => {
    if (!open) return box.current?.hidePopover()
    box.current?.showPopover()
    place()
  }, [open, place])

  return (
    <span ref={anchor} className="inline-flex" {...listeners}>
      {children}
      <div
        ref={box}
        popover="manual"
        aria-hidden="true"
        className="pointer-events-none fixed items-center gap-2 rounded-sm bg-ink px-2 py-1 text-xs text-bg shadow-float open:flex open:animate-appear"
      >
        {open && label}
        {open && shortcut && <Kbd inverted>{shortcut}</Kbd>}
      </div>
    </span>
  )
}

/** Whether a mouse rests on something, or the keyboard's focus is there. */
function useAttention() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [open, setOpen] = useState(false)
  const hide = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const listeners = {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') timer.current = setTimeout(() => setOpen(true), delayMs)
    },
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocus: (event: FocusEvent) => event.target.matches(':focus-visible') && setOpen(true),
    onBlur: hide,
    onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && hide(),
  }
  return { open, listeners }
}
