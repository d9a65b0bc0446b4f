import { useCurrentUser } from '@/components/app/current-user'
import { lazyDialog } from '@/components/app/lazy-part'
import type { Triage } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { draftIndex } from '@/lib/inbox/draft-index'
import { findDisplayName } from '@/lib/inbox/lead-text'
import type { TriageDecision } from '@/lib/inbox/own-changes'
import { parseLeadKey } from '@/lib/leads/lead-key'
import { type ListTarget, selectMarkedLeads, selectMarks, selectMatchingFilter, toTriagedLead } from './inbox-state'
import { type InboxActions, useInbox } from './use-inbox'

const AssignDialog = lazyDialog(async () => (await import('@/components/app/assign-dialog')).AssignDialog)
const loadConfirmCode = () => import('@/components/app/confirm-decision')
const ConfirmBulkDialog = lazyDialog(async () => (await loadConfirmCode()).ConfirmBulkDialog, 'confirm')
const DiscardDraftsDialog = lazyDialog(async () => (await loadConfirmCode()).DiscardDraftsDialog, 'confirm')
const SnoozeDialog = lazyDialog(async () => (await import('@/components/app/snooze-dialog')).SnoozeDialog, 'putAside')
const loadExportCode = () => import('@/components/export/export-dialog')
const ExportDialog = lazyDialog(async () => (await loadExportCode()).ExportDialog, 'export')
const ListChoiceDialog = lazyDialog(async () => (await loadExportCode()).ListChoiceDialog, 'export')
const CopyEmailsDialog = lazyDialog(async () => (await loadExportCode()).CopyEmailsDialog, 'export')
const SaveViewDialog = lazyDialog(async () => (await import('./save-view')).SaveViewDialog, 'views')

export const loadDialogs = () => Promise.all([AssignDialog.load(), SnoozeDialog.load()])

/** Opens the dialog for a file or for e-mail addresses of the marked leads, or of all that the list shows. */
export async function openExportDialog(actions: InboxActions, kind: 'export' | 'copy-emails', leads: 'marked' | 'all') {
  const state = actions.store.read()
  const matching = selectMatchingFilter(state)
  const marks = selectMarks(state)
  if (matching !== null && (leads === 'all' || marks.isAll))
    return actions.showDialog({ kind, lists: [{ list: matching.list, target: { matching }, count: marks.total }] })
  const keys = leads === 'all' ? await actions.findAllKeys() : marks.ids
  const refs = [...(keys ?? [])].map(parseLeadKey)
  const lists = LEAD_LISTS.map((list): ListTarget => {
    const ofList = refs.filter(({ kind: leadKind }) => LISTS_BY_KIND[leadKind].list === list)
    return { list, target: { leads: ofList }, count: ofList.length }
  }).filter(({ count }) => count > 0)
  if (lists.length > 0) actions.showDialog({ kind, lists })
}

export function InboxDialogs({ onClose }: { onClose: () => void }) {
  const inbox = useInbox()
  const { dialog, description, filters, actions } = inbox
  const owner = useCurrentUser()?.id ?? ''
  const change = (decision: TriageDecision) => {
    const item = dialog !== null && 'item' in dialog ? dialog.item : undefined
    if (item === undefined) void actions.changeMarked(decision)
    else actions.changeOne(item, decision)
  }
  switch (dialog?.kind) {
    case undefined:
      return null
    case 'assign': {
      const leads = dialog.item === undefined ? selectMarkedLeads(inbox) : [toTriagedLead(dialog.item)]
      const only = leads.length === 1 ? leads[0]?.item : undefined
      const [school, ...others] = new Set(leads.map(({ item }) => item?.highSchoolId))
      return (
        <AssignDialog
          school={others.length === 0 ? school : undefined}
          count={dialog.count}
          name={only && findDisplayName(only)}
          assignee={only?.triage.assignee ?? null}
          onAssign={(assignee: Triage['assignee']) => change({ assignee })}
          onClose={onClose}
        />
      )
    }
    case 'snooze': {
      const onChoose = (snoozeUntil: string) => change({ snoozeUntil })
      return <SnoozeDialog count={dialog.count} item={dialog.item} onChoose={onChoose} onClose={onClose} />
    }
    case 'confirm':
      return <ConfirmBulkDialog {...dialog} onClose={onClose} />
    case 'drafts': {
      const onYes = () => {
        for (const lead of dialog.leads) draftIndex.forgetReply(sessionStorage, owner, lead)
        dialog.onYes()
      }
      return <DiscardDraftsDialog {...dialog} onYes={onYes} onClose={onClose} />
    }
    case 'export':
    case 'copy-emails': {
      const { kind, lists } = dialog
      const [only] = lists
      // A file has leads of one list, so the user chooses a list where both are meant.
      const onChoose = (one: ListTarget) => actions.showDialog({ kind, lists: [one] })
      if (only === undefined || lists.length > 1)
        return <ListChoiceDialog lists={lists} onChoose={onChoose} onClose={onClose} />
      if (kind === 'copy-emails') return <CopyEmailsDialog {...only} onClose={onClose} />
      return <ExportDialog {...only} sort={description ? filters.query.sort : 'waiting'} onClose={onClose} />
    }
    case 'save-view':
      return description && <SaveViewDialog list={description.list} query={filters.query} onClose={onClose} />
    default:
      return dialog satisfies never
  }
}
