'use client'

import { useQueryState } from 'nuqs'
import { useRef } from 'react'
import { leadParam } from '@/lib/inbox/filter-params'

export type OpenLead = { id: string | null; open: (id: string) => void; close: () => void }

/**
 * The open lead, in the URL. Opening is a step in the history and closing takes it back, so that the back button of a phone
 * closes; going from lead to lead is none, or `j` forty times would be forty steps.
 */
export function useOpenLead(search: string): OpenLead {
  const [id, setId] = useQueryState('lead', leadParam)
  const opened = useRef<{ entry: string | null; search: string } | null>(null)
  return {
    id,
    open: (next) => {
      if (id !== null) return void setId(next, { history: 'replace' })
      void setId(next, { history: 'push' }).then(() => (opened.current = { entry: historyEntry(), search }))
    },
    close: () => {
      const { current } = opened
      opened.current = null
      // Going back must not bring back an older search or filter than the one on screen.
      const isOurStep = current !== null && current.entry !== null && current.entry === historyEntry()
      if (isOurStep && current.search === search) window.history.back()
      else void setId(null, { history: 'replace' })
    },
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}
