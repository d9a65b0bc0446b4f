'use client'

import { createParser, parseAsInteger, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { Unit } from '@/lib/interest/interest-page'

const UNITS = ['declarations', 'people'] as const satisfies readonly Unit[]

const parseAsDay = createParser({
  parse: (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null),
  serialize: (day: string) => day,
})

/** What is chosen on the page, but for the schools; the server draws it anew after a change of what is counted. */
export function useInterestUrl() {
  const [counted, setCounted] = useQueryStates(
    { cohort: parseAsInteger, from: parseAsDay, to: parseAsDay },
    { shallow: false, history: 'push' },
  )
  const [{ unit }, setUnit] = useQueryStates({ unit: parseAsStringLiteral(UNITS).withDefault('declarations') })
  return { ...counted, set: setCounted, unit, setUnit: (next: Unit) => void setUnit({ unit: next }) }
}
