import { useCurrentUser } from '@/components/desk/current-user'
import { lazyDialog } from '@/components/desk/lazy-part'
import type { Triage } from '@/lib/contract/lead'
import { replyMarks } from '@/lib/inbox/reply-marks'
import type { TriagedLead } from '@/lib/inbox/undo-steps'
import { descriptionIn, type InboxState, leadOf, marksIn, matchingIn } from './inbox-state'
import { byList, markedIn } from './leads-of-list'
import { type Acts, useActs, useInbox } from './use-inbox'

const AssignDialog = lazyDialog(async () => (await import('@/components/triage/assign-dialog')).AssignDialog)
const AskHeavy = lazyDialog(async () => (await import('@/components/triage/confirm-decision')).AskHeavy, 'confirm')
const AskDrafts = lazyDialog(async () => (await import('@/components/triage/confirm-decision')).AskDrafts, 'confirm')
const PutAsideDialog = lazyDialog(
  async () => (await import('@/components/triage/put-aside-dialog')).PutAsideDialog,
  'putAside',
)
const exportCode = () => import('@/components/export/export-dialog')
const ExportDialog = lazyDialog(async () => (await exportCode()).ExportDialog, 'export')
const WhichList = lazyDialog(async () => (await exportCode()).WhichList, 'export')
const CopyEmailsDialog = lazyDialog(async () => (await exportCode()).CopyEmailsDialog, 'export')
const SaveViewDialog = lazyDialog(async () => (await import('@/components/views/save-view')).SaveViewDialog, 'views')

/** What is done with several leads at once comes with what asks about it. */
export { changeMarked, decideMarked, keysBetween, rangeTo } from './leads-of-list'

export const loadDialogs = () => Promise.all([AssignDialog.load(), PutAsideDialog.load()])

/** Asks for a file, or the addresses, of what is marked, or of all that the list shows. */
export async function takeLeads(acts: Acts, is: 'export' | 'copy-emails', isAll: boolean): Promise<void> {
  const [matching, marked] = [matchingIn(acts.read()), marksIn(acts.read())]
  const count = isAll ? marked.total : marked.count
  const keys = isAll && matching === null ? await acts.allKeys() : marked.ids
  const of =
    matching !== null && (isAll || marked.isAll) ? [{ list: matching.list, target: { matching }, count }] : byList(keys)
  if (of.length > 0) acts.ask({ is, of })
}

const everything = (state: InboxState) => state

export function InboxDialogs({ onClose }: { onClose: () => void }) {
  const state = useInbox(everything)
  const { dialog, filters } = state
  const description = descriptionIn(state)
  const { ask, decide } = useActs()
  const owner = useCurrentUser()?.id ?? ''
  switch (dialog?.is) {
    case undefined:
      return null
    case 'assign': {
      const { item } = dialog
      const onAssign = (assignee: Triage['assignee']) =>
        item === undefined ? void decide.aboutMarked({ assignee }) : decide.about.one(item, { assignee })
      const leads = item === undefined ? markedIn(state) : [leadOf(item)]
      return <AssignLeads count={dialog.count} leads={leads} onAssign={onAssign} onClose={onClose} />
    }
    case 'put-aside': {
      const { item } = dialog
      const onChoose = (snoozeUntil: string) =>
        item === undefined ? void decide.aboutMarked({ snoozeUntil }) : decide.about.one(item, { snoozeUntil })
      return <PutAsideDialog {...dialog} onChoose={onChoose} onClose={onClose} />
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
      const { is, of } = dialog
      const [only] = of
      // What leaves Intag is of one list. Of both, the user says first which.
      if (only === undefined || of.length > 1)
        return <WhichList of={of} onChoose={(one) => ask({ is, of: [one] })} onClose={onClose} />
      if (is === 'copy-emails') return <CopyEmailsDialog {...only} onClose={onClose} />
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
  const only = leads.length === 1 ? leads[0] : undefined
  const [school, ...others] = new Set(leads.map((lead) => lead.school))
  return (
    <AssignDialog
      school={others.length === 0 ? school : undefined}
      count={count}
      name={only?.name}
      assignee={only?.triage?.assignee ?? null}
      onAssign={onAssign}
      onClose={onClose}
    />
  )
}
