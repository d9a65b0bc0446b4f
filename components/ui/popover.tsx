import { type ButtonHTMLAttributes, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { cn } from './cn'
import { type Placement, setPopover, usePlacement } from './placement'

export type TriggerProps = ButtonHTMLAttributes<HTMLButtonElement> & { ref: RefObject<HTMLButtonElement | null> }

export type PopoverProps = Partial<Placement> & {
  trigger: (props: TriggerProps) => ReactNode
  children: (close: () => void) => ReactNode
  label: string
  role?: 'dialog' | 'menu'
  className?: string
  onOpened?: (box: HTMLElement) => void
}

/** The browser's own popover: top layer, closes on Escape and on a press outside, gives the focus back. */
export function Popover({
  trigger,
  children,
  label,
  role = 'dialog',
  side = 'bottom',
  align = 'start',
  className,
  onOpened,
}: PopoverProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  usePlacement(button, box, open, { side, align })
  // The browser opens it without script: it may have been pressed before this had loaded.
  useEffect(() => {
    if (box.current?.matches(':popover-open')) setOpen(true)
  }, [])

  const close = () => setPopover(document.getElementById(id), false)
  return (
    <>
      {trigger({ ref: button, popoverTarget: id, 'aria-expanded': open, 'aria-haspopup': role })}
      <div
        ref={box}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        onBeforeToggle={(event) => event.newState === 'open' && setOpen(true)}
        onToggle={(event) => {
          if (event.newState === 'closed') setOpen(false)
          else onOpened?.(event.currentTarget)
        }}
        className={cn('floating', className)}
      >
        {open && children(close)}
      </div>
    </>
  )
}
