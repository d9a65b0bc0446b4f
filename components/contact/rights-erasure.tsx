import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FormFrame } from '@/components/ui/dialog-frame'
import { Field, Input } from '@/components/ui/field'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import type { ContactRights, KeptOfLead } from '@/lib/contract/rights'
import { NamingTexts } from './naming-texts'

type EraseProps = { contactId: string; leads: readonly KeptOfLead[]; rights: ContactRights }

/** The way to erasing what was added to the chosen leads. */
export function ErasePart(props: EraseProps) {
  const t = useTranslations('rights.erase')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <p className="text-sm text-mute">{t('body')}</p>
      <div>
        <Button size="sm" disabled={props.leads.length === 0} onClick={() => setAsking(true)}>
          {t('open')}
        </Button>
      </div>
      {isAsking && <EraseDialog {...props} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Says what goes and what stays, and asks for a word to be written: nobody can take this back. */
function EraseDialog({ contactId, leads, rights, onClose }: EraseProps & { onClose: () => void }) {
  const t = useTranslations('rights.erase')
  const common = useTranslations('common')
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const word = t('word')
  const isConfirmed = typed.trim().toLocaleUpperCase() === word
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () =>
      api('POST /api/contacts/[id]/erasure', {
        params: { id: contactId },
        body: { leads: leads.map(({ kind, id }) => ({ kind, id })), confirm: 'erase' },
      }),
    onSuccess: async () => {
      await client.invalidateQueries()
      toast(t('done'))
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isConfirmed) mutate()
  }
  return (
    <Dialog open onClose={onClose} insistent={isPending} title={t('dialogTitle', { count: leads.length })}>
      <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
        <FormFrame
          problem={isError ? t('failed') : null}
          actions={
            <>
              <Button onClick={onClose}>{common('cancel')}</Button>
              <Button type="submit" variant="danger" busy={isPending} disabled={!isConfirmed}>
                {t('confirm')}
              </Button>
            </>
          }
        >
          <WhatGoes leads={leads} />
          <NamingTexts rights={rights} leads={leads} />
          <WhatStays />
          <WordField word={word} typed={typed} onChange={setTyped} />
        </FormFrame>
      </form>
    </Dialog>
  )
}

function WordField({ word, typed, onChange }: { word: string; typed: string; onChange: (typed: string) => void }) {
  const t = useTranslations('rights.erase')
  return (
    <Field label={t('type', { word })}>
      {(attributes) => (
        <Input
          {...attributes}
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}

const listClass = 'list-disc pl-5 text-sm text-mute'

function WhatGoes({ leads }: { leads: readonly KeptOfLead[] }) {
  const t = useTranslations('rights.erase')
  const sum = (count: (lead: KeptOfLead) => number) => leads.reduce((total, lead) => total + count(lead), 0)
  return (
    <div>
      <h3 className="text-sm font-semibold">{t('goes')}</h3>
      <ul className={`tabular ${listClass}`}>
        <li>{t('goesList.triage', { count: sum(({ hasTriage }) => Number(hasTriage)) })}</li>
        <li>{t('goesList.attempts', { count: sum(({ attempts }) => attempts) })}</li>
        <li>{t('goesList.notes', { count: sum(({ notes }) => notes) })}</li>
        <li>{t('goesList.exports', { count: sum(({ exports }) => exports) })}</li>
        <li>{t('goesList.views')}</li>
      </ul>
    </div>
  )
}

function WhatStays() {
  const t = useTranslations('rights.erase')
  return (
    <div>
      <h3 className="text-sm font-semibold">{t('stays')}</h3>
      <ul className={listClass}>
        <li>{t('staysList.service')}</li>
        <li>{t('staysList.log')}</li>
        <li>{t('staysList.files')}</li>
      </ul>
    </div>
  )
}
