import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import type { Found } from '@/components/triage/next-lead'
import { triageCode } from '@/components/triage/use-triage'
import type { LeadItem, LeadListQuery } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import type { ListDescription } from '@/lib/contract/lists'
import { stockholmDay } from '@/lib/time/stockholm'
import type { Cursor } from './cursor'
import type { ListRows } from './list-rows'

type AdvanceOptions = {
  description: ListDescription
  query: LeadListQuery
  rows: ListRows
  cursor: Cursor
  /** Told when no lead of the list waits any more. */
  onNone: (from: LeadItem) => void
}

/** Goes from a lead to the next that waits; below it, or else from the top. Whoever has gone elsewhere meanwhile stays there. */
export function useAdvance({ description, query, rows, cursor, onNone }: AdvanceOptions) {
  const client = useQueryClient()
  const at = useRef<string | null>(null)
  const turns = useRef(0)
  useLayoutEffect(() => {
    at.current = cursor.id
  })
  return {
    /** `handled`: what was decided about with it, which the rows may not show yet. */
    from: (item: LeadItem, handled: readonly LeadRef[] = []) => {
      const turn = ++turns.current
      const go = (found: Found) => {
        if (turn !== turns.current || at.current !== item.id || found === 'too far') return
        if (found === 'none') onNone(item)
        else cursor.goTo(found.item.id, found.index)
      }
      const search = { today: stockholmDay(Date.now()), client, description, query, rows, handled }
      const { place } = cursor.subject
      const found = triageCode.read()?.nextUnhandled(search, place)
      if (found !== undefined && !(found instanceof Promise)) return go(found)
      const looked = found ?? triageCode.want().then((code) => code?.nextUnhandled(search, place) ?? 'too far')
      looked.then(go, () => {})
    },
    /** What is still being looked for is not gone to. */
    stop: () => {
      turns.current += 1
    },
  }
}
