import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm, useSaveForm } from '@/components/app/save-form'
import { Dialog } from '@/components/ui/dialog'
import { Checkbox, TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'

type SaveViewDialogProps = { list: LeadList; query: LeadListQuery; onClose: () => void }

export function SaveViewDialog({ list, query, onClose }: SaveViewDialogProps) {
  const t = useTranslations('views')
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const saving = useSaveForm({
    values: { list, name: name.trim(), query, shared: isShared },
    send: (body) => api('POST /api/views', { body }),
    successMessage: (_, saved) => t('saved', { name: saved.name }),
    invalidate: 'GET /api/views',
    onSaved: onClose,
  })
  return (
    <Dialog onClose={onClose} title={t('save')}>
      <DialogForm saving={saving} onClose={onClose}>
        <TextField
          label={t('name')}
          autoFocus
          required
          pattern=".*\S.*"
          maxLength={80}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Checkbox label={t('share')} hint={t('shareHint')} checked={isShared} onChange={setShared} />
        {/* The search is shown, because it may be a person's name, which colleagues will see. */}
        {isShared && query.q !== undefined && <Notice size="sm">{t('sharedSearch', { text: query.q })}</Notice>}
      </DialogForm>
    </Dialog>
  )
}
