import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { DeskLink } from '@/components/desk/navigate'
import { DialogForm, useSaveForm } from '@/components/desk/save'
import { cn } from '@/components/ui/cn'
import { Dialog, DialogButton } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import type { LeadRef } from '@/lib/contract/lead'
import type { ContactRights, KeptOfLead, NamingText } from '@/lib/contract/rights'
import { fullDay } from '@/lib/time/format-date'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'

type EraseProps = { contactId: string; leads: readonly KeptOfLead[]; rights: ContactRights }

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
function EraseDialog({ contactId, leads, rights, onClose }: EraseProps & { onClose: () => void }) {
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
  const title = t('dialogTitle', { count: leads.length })
  return (
    <Dialog onClose={onClose} insistent={saving.busy} title={title}>
      <DialogForm saving={saving} save={t('confirm')} isDangerous disabled={!isConfirmed} onClose={onClose}>
        <ErasedCounts leads={leads} />
        <NamingTexts rights={rights} leads={leads} />
        <List title={t('stays')}>
          {(['service', 'log', 'files'] as const).map((what) => (
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
      <li>{t('goesList.triage', { count: sum(({ hasTriage }) => Number(hasTriage)) })}</li>
      <li>{t('goesList.attempts', { count: sum(({ attempts }) => attempts) })}</li>
      <li>{t('goesList.notes', { count: sum(({ notes }) => notes) })}</li>
      <li>{t('goesList.exports', { count: sum(({ exports }) => exports) })}</li>
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

type NamingTextsProps = { rights: Pick<ContactRights, 'naming'>; leads: readonly LeadRef[] }

export function NamingTexts({ rights: { naming }, leads }: NamingTextsProps) {
  const t = useTranslations('rights.naming')
  const isAmong = (one: LeadRef) => leads.some(({ kind, id }) => kind === one.kind && id === one.id)
  const found = naming.filter((text) => text.leads.some(isAmong))
  return (
    <section aria-labelledby="naming">
      <h3 id="naming" className="text-sm font-semibold">
        {t('title')}
      </h3>
      {found.length === 0 ? (
        <p className="text-sm text-mute">{t('none')}</p>
      ) : (
        <ul className="list-disc pl-5 text-sm text-mute">
          {found.map((text) => (
            <NamingTextItem key={`${text.what} ${text.at} ${text.text}`} text={text} />
          ))}
        </ul>
      )}
    </section>
  )
}

function NamingTextItem({ text: { what, text, by, at, contactId } }: { text: NamingText }) {
  const t = useTranslations('rights.naming')
  const locale = useLocale()
  const when = fullDay(epochDay(stockholmDay(Date.parse(at))), locale)
  const href = what === 'note' && contactId !== null ? `/contacts/${contactId}` : '/admin/activity'
  return (
    <li className="wrap-anywhere">
      {t(what, { text })}{' '}
      {(what === 'purpose' || what === 'note') && (
        <DeskLink href={href} className="text-ink underline">
          {t(what === 'note' ? 'toNote' : 'toLog')}
        </DeskLink>
      )}
      <span className="block text-xs">{t('by', { name: by ?? t('former'), when })}</span>
    </li>
  )
}
