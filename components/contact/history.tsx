import { NotebookPen } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyPart } from '@/components/app/lazy-part'
import { useContact } from '@/components/app/own-changes'
import { Button } from '@/components/ui/button'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { hasNoteDraft } from '@/lib/inbox/draft-index'
import { type HandleAllCallbacks, HandleAllPanel } from './handle-all-panel'
import { useLeadHistory } from './lead-history'
import { NoteComposer } from './note-composer'
import { useWritingRequest } from './writing-request'

const HistoryEntries = lazyPart(
  async () => (await import('./history-entries')).HistoryEntries,
  <Skeleton className="mb-3 h-11 w-full" />,
)

const FOLDED_ENTRY_COUNT = 2

/** Shows what happened to a lead, its notes and the person's other leads, at first only the latest two entries. */
export function LeadHistory({ lead, item, ...callbacks }: HandleAllCallbacks & { lead: LeadRef; item: LeadItem }) {
  const t = useTranslations('contact')
  const userId = useCurrentUser()?.id ?? ''
  const [isExpanded, setExpanded] = useState(false)
  // Null means that the note field is closed; each increase focuses it. A draft opens it from the start.
  const [focusRequestCount, setFocusRequestCount] = useState(() =>
    hasNoteDraft(window.sessionStorage, userId, lead) ? 0 : null,
  )
  const writeNote = () => setFocusRequestCount((focusRequestCount ?? 0) + 1)
  useWritingRequest(lead, (kind) => {
    if (kind !== 'note') return undefined
    writeNote()
    return true
  })
  const { data: contact, error, refetch } = useContact(item.contactId)
  const otherLeads = contact?.leads.filter((other) => other.kind !== lead.kind || other.lead.id !== lead.id)
  const history = useLeadHistory(lead, otherLeads)
  const entries = otherLeads && history.entries
  const retryLoading = error && !contact ? refetch : history.retryLoading
  return (
    <section aria-labelledby="history" className="mt-6 border-t border-line-soft pt-4">
      <div className="mb-1.5 flex flex-wrap items-center gap-x-1">
        <h3 id="history" className="mr-auto text-sm font-semibold text-mute">
          {t('timeline.title')}
        </h3>
        {/* The button to expand stands first, because it appears late and would move the other one under a finger. */}
        {entries && entries.length > FOLDED_ENTRY_COUNT && (
          <Button
            text={t(isExpanded ? 'timeline.less' : 'timeline.all')}
            variant="ghost"
            size="sm"
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
          />
        )}
        <Button
          icon={NotebookPen}
          text={t('notes.write')}
          variant="ghost"
          size="sm"
          shortcut="n"
          className="-mr-2.5"
          onClick={writeNote}
        />
      </div>
      <HandleAllPanel contact={contact} anchorLeads={[item]} originLead={lead} {...callbacks} />
      {focusRequestCount !== null && (
        <div className="mb-3">
          <NoteComposer key={lead.id} lead={lead} schoolId={item.highSchoolId} focusRequestCount={focusRequestCount} />
        </div>
      )}
      {retryLoading && <LoadFailure className="mb-3" onRetry={retryLoading} />}
      {!retryLoading && !entries && <Skeleton className="h-5 w-72 max-w-full" />}
      {entries?.length === 0 && <p className="text-sm text-mute">{t('timeline.none')}</p>}
      {entries && (
        <HistoryEntries
          lead={lead}
          referenceLead={item}
          entries={isExpanded ? entries : entries.slice(0, FOLDED_ENTRY_COUNT)}
        />
      )}
    </section>
  )
}
