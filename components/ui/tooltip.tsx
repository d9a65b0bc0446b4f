import { type RefObject, useEffect, useRef } from 'react'
import { Kbd, modifierKey } from './kbd'
import { setPopover, usePlacement } from './popover'

type TooltipProps = { anchor: RefObject<HTMLElement | null>; label: string; shortcut: string | undefined }

/** Says again, for the eye, what a button is called, as long as it is there; a touch screen never shows it. */
export function Tooltip({ anchor, label, shortcut }: TooltipProps) {
  const box = useRef<HTMLDivElement>(null)
  const place = usePlacement(anchor, box, true, { side: 'bottom', align: 'center' })
  useEffect(() => {
    // Not at once: the focus may come from a menu that is just closing, and no popover may open within that.
    const frame = requestAnimationFrame(() => {
      setPopover(box.current, true)
      place()
    })
    return () => cancelAnimationFrame(frame)
  }, [place])
  return (
    <div
      ref={box}
      popover="manual"
      aria-hidden="true"
      className="pointer-events-none fixed items-center gap-2 rounded-sm bg-ink px-2 py-1 text-xs text-bg shadow-float open:flex open:animate-appear"
    >
      {label}
      {shortcut && <Kbd inverted>{keysOf(shortcut, modifierKey())}</Kbd>}
    </div>
  )
}

/** A shortcut as `aria-keyshortcuts` has it (`Control+K`), by the keys of this machine. */
export function keysOf(shortcut: string, modifier: string): string {
  return shortcut.replace('Control+', `${modifier} `)
}
