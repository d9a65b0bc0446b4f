import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { DialogForm, useSaveForm } from '@/components/desk/save'
import { cn } from '@/components/ui/cn'
import { Dialog, DialogButton } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import type { KeptOfLead } from '@/lib/contract/rights'

type EraseProps = { contactId: string; leads: readonly KeptOfLead[] }

export function ErasePart(props: EraseProps) {
  const t = useTranslations('rights.erase')
  return (
    <>
      <p className="text-sm text-mute">{t('body')}</p>
      <div>
        <DialogButton
          text={t('open')}
          size="sm"
          disabled={props.leads.length === 0}
          dialog={(close) => <EraseDialog {...props} onClose={close} />}
        />
      </div>
    </>
  )
}

/** A word must be typed, because erasure cannot be undone. */
function EraseDialog({ contactId, leads, onClose }: EraseProps & { onClose: () => void }) {
  const t = useTranslations('rights.erase')
  const [typed, setTyped] = useState('')
  const word = t('word')
  const saving = useSaveForm({
    values: leads.map(({ kind, id }) => ({ kind, id })),
    send: (erased) =>
      api('POST /api/contacts/[id]/erasure', { params: { id: contactId }, body: { leads: erased, confirm: 'erase' } }),
    done: t('done'),
    refresh: 'all',
    refreshFirst: true,
    onSaved: onClose,
  })
  const isConfirmed = typed.trim().toLocaleUpperCase() === word
  return (
    <Dialog onClose={onClose} insistent={saving.busy} title={t('dialogTitle', { count: leads.length })}>
      <DialogForm saving={saving} save={t('confirm')} isDangerous disabled={!isConfirmed} onClose={onClose}>
        <ErasedCounts leads={leads} />
        <List title={t('stays')}>
          {(['service', 'log', 'files', 'mentions'] as const).map((what) => (
            <li key={what}>{t(`staysList.${what}`)}</li>
          ))}
        </List>
        <TextField
          label={t('type', { word })}
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </DialogForm>
    </Dialog>
  )
}

function ErasedCounts({ leads }: { leads: readonly KeptOfLead[] }) {
  const t = useTranslations('rights.erase')
  const sum = (count: (lead: KeptOfLead) => number) => leads.reduce((total, lead) => total + count(lead), 0)
  return (
    <List title={t('goes')} isCounted>
      <li>{t('goesList.triage', { count: sum(({ triage }) => (triage === null ? 0 : 1)) })}</li>
      <li>{t('goesList.attempts', { count: sum(({ attempts }) => attempts.length) })}</li>
      <li>{t('goesList.notes', { count: sum(({ notes }) => notes.length) })}</li>
      <li>{t('goesList.exports', { count: sum(({ exports }) => exports.length) })}</li>
      <li>{t('goesList.views')}</li>
    </List>
  )
}

function List({ title, isCounted = false, children }: { title: string; isCounted?: boolean; children: ReactNode }) {
  return (
    <div>
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className={cn(isCounted && 'tabular', 'list-disc pl-5 text-sm text-mute')}>{children}</ul>
    </div>
  )
}
