'use client'

import { useState } from 'react'
import { useCommands } from '@/components/shell/commands'
import { useTriageMatching } from '@/components/triage/use-triage-matching'
import type { TriageDecision } from '@/components/triage/use-triage'
import type { LeadStatus } from '@/lib/contract/lead'
import { filterOf } from '@/lib/inbox/filter-of'
import type { Progress } from './bulk-progress'
import type { LeadTarget } from './inbox-dialogs'
import type { InboxState } from './use-inbox'

/** What the bar does: with leads that were marked one by one, or on the server with all that match. */
export function useBulk(inbox: InboxState) {
  const { description, filters, marked, decide, setDialog } = inbox
  const { list, kind } = description
  const [progress, setProgress] = useState<Progress | null>(null)
  const changeMatching = useTriageMatching()
  const matching = { list, ...filterOf(filters.query) }

  const all = async (decision: TriageDecision) => {
    setProgress({ done: 0, total: marked.count })
    const isDone = await changeMatching(matching, decision, setProgress)
    setProgress(null)
    if (isDone && decision.status !== undefined) marked.clear()
  }
  const target: LeadTarget = marked.isAll ? { matching } : { leads: [...marked.ids].map((id) => ({ kind, id })) }
  const set = (status: LeadStatus) => (marked.isAll ? void all({ status }) : decide.all({ status }))
  const open = (is: 'export' | 'copy-emails') => () => setDialog({ is, target, count: marked.count })
  const assign = () =>
    marked.isAll
      ? setDialog({ is: 'assign-all', count: marked.count, onAssign: (assignee) => void all({ assignee }) })
      : setDialog({ is: 'assign', leads: decide.targets() })
  const bulk = { progress, set, assign, exportLeads: open('export'), copyEmails: open('copy-emails') }

  const isFree = marked.isAny && progress === null
  const onAll = (status: LeadStatus) => (isFree && marked.isAll ? () => void all({ status }) : undefined)
  useCommands({
    handled: onAll('handled'),
    inProgress: onAll('in-progress'),
    renew: onAll('new'),
    dismissed: onAll('dismissed'),
    assign: isFree && marked.isAll ? assign : undefined,
    export: isFree ? bulk.exportLeads : undefined,
    copyEmails: isFree ? bulk.copyEmails : undefined,
  })
  return bulk
}

export type Bulk = ReturnType<typeof useBulk>
