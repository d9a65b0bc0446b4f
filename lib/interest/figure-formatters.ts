import type { useFormatter } from 'next-intl'
import type { Count } from '@/lib/contract/interest'

export type FigureFormat = Pick<ReturnType<typeof useFormatter>, 'number' | 'list'>

const PERCENT = { style: 'percent', maximumFractionDigits: 0 } as const

export function createFigureFormatters(format: FigureFormat, fewText: string) {
  const formatCount = (count: Count) => (count === '<5' ? count : format.number(count))
  return {
    formatCount,
    /** A count below five is written in words. */
    spellCount: (count: Count) => (count === '<5' ? fewText : formatCount(count)),
    formatShare: (share: number) => format.number(share, PERCENT),
    /** `+18 %`, `−2 %`, `±0 %`. */
    formatSignedShare: (share: number) => {
      const text = format.number(share, { ...PERCENT, signDisplay: 'exceptZero' })
      return Math.round(share * 100) === 0 ? `±${text}` : text.replace('-', '−')
    },
  }
}
