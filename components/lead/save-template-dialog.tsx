import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm, useSaveForm } from '@/components/app/save-form'
import { Dialog } from '@/components/ui/dialog'
import { TextAreaField, TextField } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { extractTemplate, findNames, PLACEHOLDER_NAMES } from '@/lib/contacts/reply-template'
import { MAX_TEMPLATE_LENGTH } from '@/lib/contract/limits'
import { findDisplayName, readEmailAndPhone, isQuestion } from '@/lib/inbox/lead-text'
import type { Reply } from './use-reply'

/** Saves the answer as one of the user's own templates, without the person's name and contact details. */
export function SaveTemplateDialog({ item, reply, onClose }: { item: LeadItem; reply: Reply; onClose: () => void }) {
  const { draft, context, initialReply } = reply
  const t = useTranslations('reply.saveTemplate')
  const format = useFormatter()
  const [name, setName] = useState('')
  const [body, setBody] = useState(() => extractTemplate(draft.body, context, initialReply.body))
  const { email, phone } = readEmailAndPhone(item)
  const lastName = isQuestion(item) ? null : item.user.lastName
  const personDetails = [context.firstName, findDisplayName(item), lastName, email, phone]
  const foundNames = findNames(body, personDetails)
  // The dialog does not show the subject, so a subject that still names the person is replaced by the usual one.
  const ownSubject = extractTemplate(draft.subject, context, '')
  const keepsOwnSubject = ownSubject !== '' && findNames(ownSubject, personDetails).length === 0
  const subject = keepsOwnSubject ? ownSubject : extractTemplate(initialReply.subject, context, '')
  let bodyError: string | null = null
  if (body.trim() === '') bodyError = t('textMissing')
  else if (foundNames.length > 0) bodyError = t('namesPerson', { names: format.list(foundNames) })
  const saving = useSaveForm({
    values: { language: context.language, subject, name: name.trim(), body: body.trim() },
    errors: { name: name.trim() === '' ? t('nameMissing') : null, body: bodyError },
    send: (template) => api('POST /api/templates', { body: { ...template, isOwn: true } }),
    successMessage: (_, saved) => t('saved', { name: saved.name }),
    invalidate: 'GET /api/templates',
    onSaved: onClose,
  })
  return (
    <Dialog onClose={onClose} title={t('title')} shape="wide">
      <DialogForm saving={saving} onClose={onClose}>
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          error={saving.getFieldError('name')}
          autoFocus
          maxLength={MAX_TEMPLATE_LENGTH.name}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextAreaField
          label={t('text')}
          hint={t('textHint', { names: PLACEHOLDER_NAMES.map((placeholder) => `{${placeholder}}`).join(', ') })}
          error={saving.getFieldError('body')}
          lang={context.language}
          rows={8}
          maxLength={MAX_TEMPLATE_LENGTH.body}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
      </DialogForm>
    </Dialog>
  )
}
