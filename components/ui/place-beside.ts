export type Placement = { side: 'bottom' | 'top'; align: 'start' | 'center' | 'end' }

type Box = { top: number; bottom: number; left: number; right: number; width: number }
type Size = { width: number; height: number }

const gap = 6
const margin = 8

/** Where a floating box goes beside its anchor: the wanted side if it fits, else the roomier; never off the screen. */
export function placeBeside(anchor: Box, box: Size, screen: Size, { side, align }: Placement) {
  const below = screen.height - anchor.bottom - gap - margin
  const above = anchor.top - gap - margin
  const [wanted, other] = side === 'bottom' ? [below, above] : [above, below]
  const flipped = box.height > wanted && other > wanted
  const onBottom = (side === 'bottom') !== flipped
  const maxHeight = onBottom ? below : above
  const height = Math.min(box.height, maxHeight)
  const start = {
    start: anchor.left,
    center: anchor.left + (anchor.width - box.width) / 2,
    end: anchor.right - box.width,
  }
  const left = Math.max(margin, Math.min(start[align], screen.width - box.width - margin))
  return { left, top: onBottom ? anchor.bottom + gap : anchor.top - gap - height, maxHeight }
}
