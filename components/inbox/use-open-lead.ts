'use client'

import { useRef } from 'react'
import { useUrlState } from '@/components/shell/url-state'

export type OpenLead = { id: string | null; open: (id: string) => void; close: () => void }

/**
 * The open lead, in the URL. Opening is a step in the history and closing takes it back, so that the back button of a phone
 * closes; going from lead to lead is none, or `j` forty times would be forty steps.
 */
export function useOpenLead(search: string): OpenLead {
  const { search: params, write } = useUrlState()
  const id = params.get('lead')
  const opened = useRef<{ entry: string | null; search: string } | null>(null)
  return {
    id,
    open: (next) => {
      if (id !== null) return write({ lead: [next] }, 'replace')
      write({ lead: [next] }, 'push')
      opened.current = { entry: historyEntry(), search }
    },
    close: () => {
      const { current } = opened
      opened.current = null
      // Going back must not bring back an older search or filter than the one on screen.
      const isOurStep = current !== null && current.entry !== null && current.entry === historyEntry()
      if (isOurStep && current.search === search) window.history.back()
      else write({ lead: [] }, 'replace')
    },
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}
