import { singleValues, useUrlRedraw, useUrlState } from '@/components/browser/url-state'
import type { Unit } from '@/lib/interest/interest-counts'

export const UNITS = ['declarations', 'people'] as const satisfies readonly Unit[]
const USUAL_UNIT = 'declarations'

type Counted = { cohort: number; from: string | null; to: string | null }

/** What is chosen on the page, but for the schools; the server draws it anew after a change of what is counted. */
export function useInterestUrl() {
  const { search, write } = useUrlState()
  const redraw = useUrlRedraw()
  return {
    from: dayIn(search.get('from')),
    to: dayIn(search.get('to')),
    set: (change: Partial<Counted>) => redraw(singleValues(change)),
    unit: UNITS.find((unit) => unit === search.get('unit')) ?? USUAL_UNIT,
    setUnit: (unit: Unit) => write(singleValues({ unit: unit === USUAL_UNIT ? null : unit }), 'replace'),
  }
}

function dayIn(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null
}
