import { type ComponentProps, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { cn } from './cn'

export type PopoverProps = Partial<Placement> & {
  trigger: (props: ComponentProps<'button'>) => ReactNode
  children: (close: () => void) => ReactNode
  label: string
  role?: 'dialog' | 'menu'
  className?: string
  /** The pointer or the focus has come to the button. */
  onNear?: () => unknown
  onOpened?: (box: HTMLElement) => void
}

/** The browser's own popover: top layer, closes on Escape and on a press outside, gives the focus back. */
export function Popover({ trigger, children, label, role = 'dialog', className, onOpened, ...rest }: PopoverProps) {
  const { side = 'bottom', align = 'start', onNear } = rest
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // Keeps the open box beside its button.
  useLayoutEffect(() => {
    if (!open) return
    const place = () => {
      if (!button.current || !box.current) return
      const { offsetHeight, clientHeight, offsetWidth, scrollHeight, style } = box.current
      const size = { width: offsetWidth, height: scrollHeight + offsetHeight - clientHeight }
      const screen = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const found = placeBeside(button.current.getBoundingClientRect(), size, screen, { side, align })
      Object.assign(style, { left: `${found.left}px`, top: `${found.top}px`, maxHeight: `${found.maxHeight}px` })
    }
    place()
    const observer = new ResizeObserver(place)
    if (box.current) for (const child of box.current.children) observer.observe(child)
    const moves = new AbortController()
    window.addEventListener('resize', place, { signal: moves.signal })
    window.addEventListener('scroll', place, { capture: true, passive: true, signal: moves.signal })
    return () => {
      observer.disconnect()
      moves.abort()
    }
  }, [open, side, align])
  // The browser opens it without script: it may have been pressed before this had loaded.
  useEffect(() => {
    if (box.current?.matches(':popover-open')) setOpen(true)
  }, [])

  const close = () => {
    const shown = document.getElementById(id)
    if (shown?.matches(':popover-open')) shown.hidePopover()
  }
  return (
    <>
      {trigger({
        ref: button,
        popoverTarget: id,
        'aria-expanded': open,
        'aria-haspopup': role,
        onPointerEnter: onNear,
        onFocus: onNear,
      })}
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
        {open && <div>{children(close)}</div>}
      </div>
    </>
  )
}

export type Placement = { side: 'bottom' | 'top'; align: 'start' | 'end' }

type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>
type Size = Pick<DOMRect, 'width' | 'height'>

const GAP = 6
const MARGIN = 8

/** Where a floating box goes beside its anchor: the wanted side if it fits, else the roomier, and over the anchor if it is too high for that; never off the screen. */
export function placeBeside(anchor: Box, box: Size, screen: Size, { side, align }: Placement) {
  const below = screen.height - anchor.bottom - GAP - MARGIN
  const above = anchor.top - GAP - MARGIN
  const [preferredRoom, otherRoom] = side === 'bottom' ? [below, above] : [above, below]
  const flipped = box.height > preferredRoom && otherRoom > preferredRoom
  const onBottom = (side === 'bottom') !== flipped
  const isOver = box.height > (onBottom ? below : above)
  const whole = screen.height - 2 * MARGIN
  const maxHeight = isOver ? whole : onBottom ? below : above
  const height = Math.min(box.height, maxHeight)
  const start = align === 'start' ? anchor.left : anchor.right - box.width
  const left = Math.max(MARGIN, Math.min(start, screen.width - box.width - MARGIN))
  if (isOver) return { left, top: onBottom ? screen.height - MARGIN - height : MARGIN, maxHeight }
  return { left, top: onBottom ? anchor.bottom + GAP : anchor.top - GAP - height, maxHeight }
}
