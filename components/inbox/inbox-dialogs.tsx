import { useCurrentUser } from '@/components/app/current-user'
import { lazyDialog } from '@/components/app/lazy-part'
import type { Triage } from '@/lib/contract/lead'
import { nameOf } from '@/lib/inbox/lead-text'
import { replyMarks } from '@/lib/inbox/reply-marks'
import type { TriagedLead } from '@/lib/inbox/own-changes'
import { descriptionIn, type InboxState, leadOf, markedIn, marksIn, matchingIn } from './inbox-state'
import { byList } from './leads-of-list'
import { type Acts, useActs, useInbox } from './use-inbox'

const AssignDialog = lazyDialog(async () => (await import('@/components/app/assign-dialog')).AssignDialog)
const AskHeavy = lazyDialog(async () => (await import('@/components/app/confirm-decision')).AskHeavy, 'confirm')
const AskDrafts = lazyDialog(async () => (await import('@/components/app/confirm-decision')).AskDrafts, 'confirm')
const PutAsideDialog = lazyDialog(
  async () => (await import('@/components/app/put-aside-dialog')).PutAsideDialog,
  'putAside',
)
const exportCode = () => import('@/components/export/export-dialog')
const ExportDialog = lazyDialog(async () => (await exportCode()).ExportDialog, 'export')
const WhichList = lazyDialog(async () => (await exportCode()).WhichList, 'export')
const CopyEmailsDialog = lazyDialog(async () => (await exportCode()).CopyEmailsDialog, 'export')
const SaveViewDialog = lazyDialog(async () => (await import('./save-view')).SaveViewDialog, 'views')

export const loadDialogs = () => Promise.all([AssignDialog.load(), PutAsideDialog.load()])

/** Asks for a file, or the addresses, of what is marked, or of all that the list shows. */
export async function takeLeads(acts: Acts, kind: 'export' | 'copy-emails', isAll: boolean): Promise<void> {
  const [matching, marked] = [matchingIn(acts.read()), marksIn(acts.read())]
  const count = isAll ? marked.total : marked.count
  const keys = isAll && matching === null ? await acts.allKeys() : marked.ids
  const lists =
    matching !== null && (isAll || marked.isAll) ? [{ list: matching.list, target: { matching }, count }] : byList(keys)
  if (lists.length > 0) acts.ask({ kind, lists })
}

const everything = (state: InboxState) => state

export function InboxDialogs({ onClose }: { onClose: () => void }) {
  const state = useInbox(everything)
  const { dialog, filters } = state
  const description = descriptionIn(state)
  const { ask, decide } = useActs()
  const owner = useCurrentUser()?.id ?? ''
  switch (dialog?.kind) {
    case undefined:
      return null
    case 'assign': {
      const { item } = dialog
      const onAssign = (assignee: Triage['assignee']) =>
        item === undefined ? void decide.changeMarked({ assignee }) : decide.changeOne(item, { assignee })
      const leads = item === undefined ? markedIn(state) : [leadOf(item)]
      return <AssignLeads count={dialog.count} leads={leads} onAssign={onAssign} onClose={onClose} />
    }
    case 'put-aside': {
      const { item } = dialog
      const onChoose = (snoozeUntil: string) =>
        item === undefined ? void decide.changeMarked({ snoozeUntil }) : decide.changeOne(item, { snoozeUntil })
      return <PutAsideDialog count={dialog.count} item={item} onChoose={onChoose} onClose={onClose} />
    }
    case 'confirm':
      return <AskHeavy {...dialog} onClose={onClose} />
    case 'drafts': {
      const onYes = () => {
        for (const lead of dialog.leads) replyMarks.forget(window.sessionStorage, owner, lead)
        dialog.onYes()
      }
      return <AskDrafts {...dialog} onYes={onYes} onClose={onClose} />
    }
    case 'export':
    case 'copy-emails': {
      const { kind, lists } = dialog
      const [only] = lists
      // What leaves Intag is of one list. Of both, the user says first which.
      if (only === undefined || lists.length > 1)
        return <WhichList of={lists} onChoose={(one) => ask({ kind, lists: [one] })} onClose={onClose} />
      if (kind === 'copy-emails') return <CopyEmailsDialog {...only} onClose={onClose} />
      return <ExportDialog {...only} sort={description ? filters.query.sort : 'waiting'} onClose={onClose} />
    }
    case 'save-view':
      return description && <SaveViewDialog list={description.list} query={filters.query} onClose={onClose} />
    default:
      return dialog satisfies never
  }
}

type AssignLeadsProps = {
  count: number
  leads: readonly TriagedLead[]
  onAssign: (assignee: Triage['assignee']) => void
  onClose: () => void
}

function AssignLeads({ count, leads, onAssign, onClose }: AssignLeadsProps) {
  const only = leads.length === 1 ? leads[0]?.item : undefined
  const [school, ...others] = new Set(leads.map(({ item }) => item?.highSchoolId))
  return (
    <AssignDialog
      school={others.length === 0 ? school : undefined}
      count={count}
      name={only && nameOf(only)}
      assignee={only?.triage.assignee ?? null}
      onAssign={onAssign}
      onClose={onClose}
    />
  )
}
