import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useSaveForm } from '@/components/desk/save'
import { DialogForm } from '@/components/desk/save-form'
import { Dialog } from '@/components/ui/dialog'
import { Field, Input } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { viewQueryOf } from '@/lib/inbox/view-link'

type SaveViewDialogProps = { list: LeadList; query: LeadListQuery; onClose: () => void }

export function SaveViewDialog({ list, query, onClose }: SaveViewDialogProps) {
  const t = useTranslations('views')
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const saving = useSaveForm({
    values: { list, name: name.trim(), query: viewQueryOf(query), shared },
    send: (body) => api('POST /api/views', { body }),
    done: (_, saved) => t('saved', { name: saved.name }),
    failed: () => ({ name: t('failed') }),
    refresh: 'GET /api/views',
    onSaved: onClose,
  })
  return (
    <Dialog onClose={onClose} title={t('save')}>
      <DialogForm saving={saving} save={t('saveIt')} onClose={onClose}>
        <Field label={t('name')} error={saving.errorOf('name')}>
          {(attributes) => (
            <Input
              {...attributes}
              autoFocus
              required
              pattern=".*\S.*"
              maxLength={80}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <ShareChoice shared={shared} search={query.q} onChange={setShared} />
      </DialogForm>
    </Dialog>
  )
}

type ShareChoiceProps = { shared: boolean; search: string | undefined; onChange: (shared: boolean) => void }

/** A search may be for a person's name, so the user learns that colleagues will see it. */
function ShareChoice({ shared, search, onChange }: ShareChoiceProps) {
  const t = useTranslations('views')
  return (
    <>
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={shared}
          onChange={(event) => onChange(event.target.checked)}
          className="mt-0.5 size-4 shrink-0"
        />
        <span>
          {t('share')}
          <span className="block text-xs text-mute">{t('shareHint')}</span>
        </span>
      </label>
      {shared && search !== undefined && <Notice size="sm">{t('sharedSearch', { text: search })}</Notice>}
    </>
  )
}
