import { describe, expect, it } from 'vitest'
import { placeBeside } from './placement'

const screen = { width: 400, height: 800 }
const menu = { width: 200, height: 300 }
const anchorAt = (left: number, top: number) => ({ left, top, right: left + 80, bottom: top + 32, width: 80 })

describe('where a floating box goes', () => {
  it('hangs below its anchor, edge to edge', () => {
    expect(placeBeside(anchorAt(20, 100), menu, screen, { side: 'bottom', align: 'start' })).toMatchObject({
      left: 20,
      top: 138,
    })
    expect(placeBeside(anchorAt(300, 100), menu, screen, { side: 'bottom', align: 'end' })).toMatchObject({
      left: 180,
      top: 138,
    })
  })

  it('turns over where there is more room', () => {
    expect(placeBeside(anchorAt(20, 700), menu, screen, { side: 'bottom', align: 'start' }).top).toBe(700 - 6 - 300)
    expect(placeBeside(anchorAt(20, 60), menu, screen, { side: 'top', align: 'start' }).top).toBe(98)
  })

  it('never leaves the screen sideways', () => {
    expect(placeBeside(anchorAt(310, 100), menu, screen, { side: 'bottom', align: 'start' }).left).toBe(192)
    expect(placeBeside(anchorAt(0, 100), menu, screen, { side: 'bottom', align: 'end' }).left).toBe(8)
  })

  it('is cut to the room there is when it fits on neither side', () => {
    const placed = placeBeside(anchorAt(20, 400), { width: 200, height: 2000 }, screen, { side: 'top', align: 'start' })
    expect(placed).toEqual({ left: 20, top: 8, maxHeight: 386 })
  })
})
