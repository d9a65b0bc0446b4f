import { lazyDialog } from '@/components/app/lazy-part'
import type { CountedTarget } from '@/components/export/export-dialog'
import type { Triage } from '@/lib/contract/lead'
import { findDisplayName } from '@/lib/inbox/lead-text'
import type { TriageDecision } from '@/lib/inbox/own-changes'
import { type InboxDialog, selectMarkedLeads, toTriagedLead } from './inbox-state'
import { useInbox } from './use-inbox'

const AssignDialog = lazyDialog(async () => (await import('@/components/app/assign-dialog')).AssignDialog)
const loadConfirmCode = () => import('@/components/app/confirm-decision')
const ConfirmBulkDialog = lazyDialog(async () => (await loadConfirmCode()).ConfirmBulkDialog, 'confirm')
const DiscardDraftsDialog = lazyDialog(async () => (await loadConfirmCode()).DiscardDraftsDialog, 'confirm')
const SnoozeDialog = lazyDialog(async () => (await import('@/components/app/snooze-dialog')).SnoozeDialog, 'putAside')
const loadExportCode = () => import('@/components/export/export-dialog')
const ExportDialog = lazyDialog(async () => (await loadExportCode()).ExportDialog, 'export')
const ListChoiceDialog = lazyDialog(async () => (await loadExportCode()).ListChoiceDialog, 'export')
const loadCopyEmailsCode = () => import('@/components/export/copy-emails-dialog')
const CopyEmailsDialog = lazyDialog(async () => (await loadCopyEmailsCode()).CopyEmailsDialog, 'export')
const SaveViewDialog = lazyDialog(async () => (await import('./save-view')).SaveViewDialog, 'views')

export const preloadTriageDialogs = () => Promise.all([AssignDialog.preload(), SnoozeDialog.preload()])

export function InboxDialogs({ onClose }: { onClose: () => void }) {
  const { dialog, description, filters, actions } = useInbox()
  switch (dialog?.kind) {
    case undefined:
      return null
    case 'assign':
    case 'snooze':
      return <TriageDialog {...dialog} onClose={onClose} />
    case 'confirm':
      return <ConfirmBulkDialog {...dialog} onClose={onClose} />
    case 'drafts':
      return <DiscardDraftsDialog {...dialog} onClose={onClose} />
    case 'export':
    case 'copy-emails': {
      const { kind, targets } = dialog
      const [counted, ...others] = targets
      const onChoose = (target: CountedTarget) => actions.showDialog({ kind, targets: [target] })
      if (counted === undefined || others.length > 0)
        return <ListChoiceDialog targets={targets} onChoose={onChoose} onClose={onClose} />
      if (kind === 'copy-emails') return <CopyEmailsDialog target={counted.target} onClose={onClose} />
      return <ExportDialog {...counted} sort={description ? filters.query.sort : 'waiting'} onClose={onClose} />
    }
    case 'save-view':
      return description && <SaveViewDialog list={description.list} query={filters.query} onClose={onClose} />
    default:
      return dialog satisfies never
  }
}

type TriageDialogProps = Extract<InboxDialog, { kind: 'assign' | 'snooze' }> & { onClose: () => void }

function TriageDialog({ kind, item, onClose }: TriageDialogProps) {
  const inbox = useInbox()
  const { marks, actions } = inbox
  const count = item === undefined ? marks.count : 1
  const applyDecision = (decision: TriageDecision) =>
    item === undefined ? void actions.applyToMarked(decision) : actions.applyToLead(item, decision)
  if (kind === 'snooze') {
    const onChoose = (snoozeUntil: string) => applyDecision({ snoozeUntil })
    return <SnoozeDialog count={count} item={item} onChoose={onChoose} onClose={onClose} />
  }
  const leads = item === undefined ? selectMarkedLeads(inbox) : [toTriagedLead(item)]
  const onlyItem = leads.length === 1 ? leads[0]?.item : undefined
  const [school, ...otherSchools] = new Set(leads.map((lead) => lead.item?.highSchoolId))
  return (
    <AssignDialog
      school={otherSchools.length === 0 ? school : undefined}
      count={count}
      name={onlyItem && findDisplayName(onlyItem)}
      assignee={onlyItem?.triage.assignee ?? null}
      onAssign={(assignee: Triage['assignee']) => applyDecision({ assignee })}
      onClose={onClose}
    />
  )
}
