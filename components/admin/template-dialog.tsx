import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { ConfirmButton } from '@/components/app/confirm-button'
import { useCurrentUser } from '@/components/app/current-user'
import { DialogForm, useSaveForm } from '@/components/app/save-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { TextAreaField, TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { api } from '@/lib/api/call'
import { fillTemplate, PLACEHOLDER_NAMES, findUnknownPlaceholders } from '@/lib/contacts/reply-template'
import type { NewTemplate, ReplyTemplate } from '@/lib/contract/templates'
import { MAX_TEMPLATE_LENGTH } from '@/lib/contract/limits'
import { LOCALES } from '@/lib/i18n/locale'

type TextControl = HTMLInputElement | HTMLTextAreaElement
type TemplateDialogProps = { savedTemplate: ReplyTemplate | null; onClose: () => void }

/** Changes a template, or adds one: an administrator for everybody, staff for themselves. */
export function TemplateDialog({ savedTemplate, onClose }: TemplateDialogProps) {
  const t = useTranslations('templates')
  const isAdmin = useCurrentUser()?.isAdmin === true
  const locale = useLocale()
  const { name = '', subject = '', body = '', language = locale } = savedTemplate ?? {}
  const [template, setTemplate] = useState<NewTemplate>({ name, subject, body, language })
  const changeTemplate = (part: Partial<NewTemplate>) => setTemplate({ ...template, ...part })
  const checkField = (field: 'name' | 'subject' | 'body') => (template[field].trim() === '' ? t('missing') : null)
  const saving = useSaveForm({
    values: template,
    errors: { name: checkField('name'), subject: checkField('subject'), body: checkField('body') },
    send: (values) =>
      savedTemplate === null
        ? api('POST /api/templates', { body: isAdmin ? values : { ...values, isOwn: true } })
        : api('PUT /api/templates/[id]', { params: { id: savedTemplate.id }, body: values }),
    successMessage: t('saved'),
    invalidate: 'GET /api/templates',
    onSaved: onClose,
  })
  const title = savedTemplate === null ? t('add') : t('change', { name: savedTemplate.name })
  return (
    <Dialog shape="wide" onClose={onClose} title={title}>
      <DialogForm
        saving={saving}
        onClose={onClose}
        extraAction={
          savedTemplate && (
            <ConfirmButton
              text={t('remove')}
              variant="danger"
              className="mr-auto"
              texts={{ title: t('removeTitle', { name: savedTemplate.name }), text: t('removeBody'), yes: t('remove') }}
              saving={{
                send: () => api('DELETE /api/templates/[id]', { params: { id: savedTemplate.id } }),
                successMessage: t('removed'),
                invalidate: 'GET /api/templates',
                onSaved: onClose,
              }}
            />
          )
        }
      >
        <div className="grid items-start gap-4 desk:grid-cols-[1fr_14rem]">
          <TextField
            label={t('field.name')}
            hint={t('nameHint')}
            error={saving.getFieldError('name')}
            maxLength={MAX_TEMPLATE_LENGTH.name}
            value={template.name}
            onChange={({ target }) => changeTemplate({ name: target.value })}
            autoFocus={savedTemplate === null}
          />
          <SegmentedControl
            label={t('languageLabel')}
            value={template.language}
            options={LOCALES.map((value) => ({ value, text: t(`language.${value}`) }))}
            onChange={(chosen) => changeTemplate({ language: chosen })}
          />
        </div>
        <MailFields template={template} getFieldError={saving.getFieldError} onChange={changeTemplate} />
      </DialogForm>
    </Dialog>
  )
}

type MailFieldsProps = {
  template: NewTemplate
  getFieldError: (field: string) => string | undefined
  onChange: (part: Partial<NewTemplate>) => void
}

/** A press on a placeholder inserts it into the field that had the focus last, at first the body. */
function MailFields({ template, getFieldError, onChange }: MailFieldsProps) {
  const { subject, body, language } = template
  const t = useTranslations('templates')
  const format = useFormatter()
  const lastFocusedField = useRef<TextControl>(null)
  const createFieldProps = (name: 'subject' | 'body') => ({
    label: t(`field.${name}`),
    error: getFieldError(name),
    maxLength: MAX_TEMPLATE_LENGTH[name],
    value: template[name],
    lang: language,
    onFocus: ({ target }: { target: TextControl }) => void (lastFocusedField.current = target),
    onChange: ({ target }: { target: TextControl }) => onChange({ [name]: target.value }),
  })
  const samples = { firstName: t('sample.firstName'), school: t('sample.school'), sender: t('sample.sender') }
  const unknownNames = findUnknownPlaceholders(`${subject} ${body}`)
  return (
    <>
      <TextField {...createFieldProps('subject')} />
      <TextAreaField
        {...createFieldProps('body')}
        ref={(field) => void (lastFocusedField.current ??= field)}
        rows={8}
        className="resize-y leading-relaxed"
      />
      <div role="group" aria-label={t('placeholders')} className="flex flex-wrap items-center gap-2 text-sm text-mute">
        <span aria-hidden>{t('placeholders')}</span>
        {PLACEHOLDER_NAMES.map((name) => (
          <Button
            key={name}
            text={t(`placeholder.${name}`)}
            size="sm"
            aria-label={t('insert', { name: t(`placeholder.${name}`) })}
            onClick={() => lastFocusedField.current && insertText(`{${name}}`, lastFocusedField.current)}
          />
        ))}
      </div>
      <section aria-label={t('preview')} className="flex min-w-0 flex-col gap-1.5">
        <h2 className="text-sm font-medium">{t('preview')}</h2>
        <div lang={language} className="card">
          <p className="border-b border-line-soft px-4 py-2.5 font-medium wrap-anywhere">
            {fillTemplate(subject, samples) || ' '}
          </p>
          <p className="min-h-40 px-4 py-3 leading-relaxed wrap-anywhere whitespace-pre-wrap">
            {fillTemplate(body, samples)}
          </p>
        </div>
        {unknownNames.length > 0 && (
          <Notice size="xs" role="status">
            {t('unknownBraces', { names: format.list(unknownNames, { type: 'unit' }) })}
          </Notice>
        )}
      </section>
    </>
  )
}

/** Inserts a text at the caret, with the `input` event that React listens to. */
function insertText(text: string, field: TextControl): void {
  field.focus()
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
