import { lazyDialog } from '@/components/desk/lazy-part'
import type { TriagedLead } from '@/lib/inbox/undo-steps'
import type { InboxState } from './use-inbox'

const AssignDialog = lazyDialog(async () => (await import('@/components/triage/assign-dialog')).AssignDialog)
const AskHeavy = lazyDialog(async () => (await import('@/components/triage/recent-changes')).AskHeavy, 'changes')
const AskDrafts = lazyDialog(async () => (await import('@/components/triage/recent-changes')).AskDrafts, 'changes')
const PutAsideDialog = lazyDialog(
  async () => (await import('@/components/triage/put-aside-dialog')).PutAsideDialog,
  'handOver',
)
const ListDialogs = lazyDialog(async () => (await import('@/components/export/list-dialogs')).ListDialogs, 'export')
const SaveViewDialog = lazyDialog(async () => (await import('@/components/views/save-view')).SaveViewDialog, 'views')

/** Those that one key opens. */
export const loadDialogs = () => Promise.all([AssignDialog.load(), PutAsideDialog.load()])

export function InboxDialogs({ inbox, onClose }: { inbox: InboxState; onClose: () => void }) {
  const { dialog, description, filters, decide } = inbox
  switch (dialog?.is) {
    case undefined:
      return null
    case 'assign':
      return <AssignLeads leads={dialog.leads} decide={decide} onClose={onClose} />
    case 'assign-all':
      return <AssignDialog count={dialog.count} assignee={null} onAssign={dialog.onAssign} onClose={onClose} />
    case 'put-aside':
      return <PutAsideDialog {...dialog} onClose={onClose} />
    case 'confirm':
      return <AskHeavy {...dialog} list={description?.list ?? 'queue'} onClose={onClose} />
    case 'drafts':
      return <AskDrafts {...dialog} onClose={onClose} />
    case 'export':
    case 'copy-emails':
      return <ListDialogs {...dialog} sort={description ? filters.query.sort : 'waiting'} onClose={onClose} />
    case 'save-view':
      return description && <SaveViewDialog list={description.list} query={filters.query} onClose={onClose} />
    default:
      return dialog satisfies never
  }
}

type AssignLeadsProps = { leads: readonly TriagedLead[]; decide: InboxState['decide']; onClose: () => void }

function AssignLeads({ leads, decide, onClose }: AssignLeadsProps) {
  const only = leads.length === 1 ? leads[0] : undefined
  const [school, ...others] = new Set(leads.map((lead) => lead.school))
  return (
    <AssignDialog
      school={others.length === 0 ? school : undefined}
      count={leads.length}
      name={only?.name}
      assignee={only?.triage?.assignee ?? null}
      onAssign={(assignee) => decide.about(leads, { assignee })}
      onClose={onClose}
    />
  )
}
