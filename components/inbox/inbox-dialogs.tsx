import { lazyDialog } from '@/components/app/lazy-part'
import type { CountedTarget } from '@/components/export/export-dialog'
import type { Triage } from '@/lib/contract/lead'
import { findDisplayName } from '@/lib/inbox/lead-text'
import type { TriageDecision } from '@/lib/inbox/own-changes'
import { selectMarkedLeads, toTriagedLead } from './inbox-state'
import { useInbox } from './use-inbox'

const AssignDialog = lazyDialog(async () => (await import('@/components/app/assign-dialog')).AssignDialog)
const loadConfirmCode = () => import('@/components/app/confirm-decision')
const ConfirmBulkDialog = lazyDialog(async () => (await loadConfirmCode()).ConfirmBulkDialog, 'confirm')
const DiscardDraftsDialog = lazyDialog(async () => (await loadConfirmCode()).DiscardDraftsDialog, 'confirm')
const SnoozeDialog = lazyDialog(async () => (await import('@/components/app/snooze-dialog')).SnoozeDialog, 'putAside')
const loadExportCode = () => import('@/components/export/export-dialog')
const ExportDialog = lazyDialog(async () => (await loadExportCode()).ExportDialog, 'export')
const ListChoiceDialog = lazyDialog(async () => (await loadExportCode()).ListChoiceDialog, 'export')
const loadCopyEmails = () => import('@/components/export/copy-emails-dialog')
const CopyEmailsDialog = lazyDialog(async () => (await loadCopyEmails()).CopyEmailsDialog, 'export')
const SaveViewDialog = lazyDialog(async () => (await import('./save-view')).SaveViewDialog, 'views')

export const loadDialogs = () => Promise.all([AssignDialog.load(), SnoozeDialog.load()])

export function InboxDialogs({ onClose }: { onClose: () => void }) {
  const inbox = useInbox()
  const { dialog, description, filters, actions } = inbox
  switch (dialog?.kind) {
    case undefined:
      return null
    case 'assign':
    case 'snooze': {
      const { kind, item } = dialog
      const count = item === undefined ? inbox.marks.count : 1
      const change = (decision: TriageDecision) =>
        item === undefined ? void actions.applyToMarked(decision) : actions.applyToLead(item, decision)
      if (kind === 'snooze') {
        const onChoose = (snoozeUntil: string) => change({ snoozeUntil })
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
          onAssign={(assignee: Triage['assignee']) => change({ assignee })}
          onClose={onClose}
        />
      )
    }
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
