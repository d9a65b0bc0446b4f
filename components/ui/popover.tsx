import {
  type ButtonHTMLAttributes,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { cn } from './cn'

export type TriggerProps = ButtonHTMLAttributes<HTMLButtonElement> & { ref: RefObject<HTMLButtonElement | null> }

export type PopoverProps = Partial<Placement> & {
  trigger: (props: TriggerProps) => ReactNode
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
  usePlacement(button, box, open, { side, align })
  // The browser opens it without script: it may have been pressed before this had loaded.
  useEffect(() => {
    if (box.current?.matches(':popover-open')) setOpen(true)
  }, [])

  const close = () => setPopover(document.getElementById(id), false)
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

/** Keeps an open `[popover]` beside its anchor. */
function usePlacement(
  anchor: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
  open: boolean,
  { side, align }: Placement,
): void {
  useLayoutEffect(() => {
    if (!open) return
    const place = () => {
      if (anchor.current && box.current) move(box.current, anchor.current, { side, align })
    }
    place()
    const observer = new ResizeObserver(place)
    if (box.current) for (const child of box.current.children) observer.observe(child)
    window.addEventListener('resize', place)
    window.addEventListener('scroll', place, { capture: true, passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', place)
      window.removeEventListener('scroll', place, { capture: true })
    }
  }, [open, anchor, box, side, align])
}

function setPopover(box: HTMLElement | null, isOpen: boolean): void {
  if (!box?.isConnected || box.matches(':popover-open') === isOpen) return
  try {
    if (isOpen) box.showPopover()
    else box.hidePopover()
  } catch {
    // Another popover opens or closes at this moment; nothing here is worth the whole screen.
  }
}

function move(box: HTMLElement, anchor: HTMLElement, placement: Placement) {
  const screen = { width: document.documentElement.clientWidth, height: window.innerHeight }
  const frame = box.offsetHeight - box.clientHeight
  const size = { width: box.offsetWidth, height: box.scrollHeight + frame }
  const { left, top, maxHeight } = placeBeside(anchor.getBoundingClientRect(), size, screen, placement)
  Object.assign(box.style, { left: `${left}px`, top: `${top}px`, maxHeight: `${maxHeight}px` })
}

type Box = { top: number; bottom: number; left: number; right: number }
type Size = { width: number; height: number }

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
