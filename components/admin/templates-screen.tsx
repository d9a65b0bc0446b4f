'use client'

import { useQuery } from '@tanstack/react-query'
import { MailPlus, Plus } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { leaveForm } from '@/components/browser/unsaved-work'
import { useCurrentUser } from '@/components/desk/current-user'
import { ConfirmButton, useSaveForm } from '@/components/desk/save'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { TextAreaField, TextField } from '@/components/ui/field'
import { Notice, ProblemText } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/headings'
import { Segments } from '@/components/ui/segments'
import { api } from '@/lib/api/call'
import { templatesQuery } from '@/lib/api/queries'
import { fillTemplate, REQUIRED_PLACEHOLDERS, PLACEHOLDERS, unknownPlaceholders } from '@/lib/contacts/reply-mail'
import type { NewTemplate, ReplyTemplate } from '@/lib/contract/attempts'
import { MAX_TEMPLATE_LENGTH } from '@/lib/contract/limits'
import { locales } from '@/lib/i18n/locale'

type Language = ReplyTemplate['language']
type Texts = Pick<NewTemplate, 'name' | 'subject' | 'body'>
/** A new template is null until it is saved; `key` stays the same then, and with it what is typed meanwhile. */
type OpenTemplate = { key: number; template: ReplyTemplate | null }

/** Administrators change the templates for everybody and their own, others their own. */
export function TemplatesScreen({ initial }: { initial: ReplyTemplate[] }) {
  const t = useTranslations('templates')
  const { data } = useQuery({ ...templatesQuery, initialData: { templates: initial } })
  const [language, setLanguage] = useState<Language>(useLocale())
  const [open, setOpen] = useState<OpenTemplate | null>(null)
  const isAdmin = useCurrentUser()?.isAdmin === true
  const shown = data.templates.filter((template) => template.language === language && (isAdmin || template.isOwn))
  const box = useRef<HTMLDivElement>(null)
  const show = (next: OpenTemplate | null, nextLanguage = language) =>
    leaveForm(!!box.current?.querySelector('[data-unsaved]'), () => {
      setLanguage(nextLanguage)
      setOpen(next)
    })
  const openOne = (template: ReplyTemplate | null) => show({ key: Date.now(), template })
  const add = <Button icon={Plus} text={t('add')} variant="primary" onClick={() => openOne(null)} />
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} action={add} />
      <div ref={box} className="grid grid-cols-1 items-start gap-5 desk:grid-cols-[17rem_minmax(0,1fr)]">
        <section aria-label={t('list')} className="flex flex-col gap-3">
          <Segments
            look="switch"
            label={t('languageLabel')}
            value={language}
            options={locales.map((value) => ({ value, text: t(`language.${value}`) }))}
            onChange={(next) => show(null, next)}
          />
          {shown.length > 0 && (
            <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
              {shown.map((template) => (
                <li key={template.id} className="border-b border-line-soft last:border-b-0">
                  <button
                    type="button"
                    lang={language}
                    aria-current={template.id === open?.template?.id || undefined}
                    onClick={() => openOne(template)}
                    className="block w-full px-4 py-2.5 text-left hover:bg-hover aria-[current=true]:bg-selected"
                  >
                    <span className="flex items-center gap-2">
                      <span className="truncate font-medium">{template.name}</span>
                      {template.isOwn && <Badge>{t('own')}</Badge>}
                    </span>
                    <span className="block truncate text-sm text-mute">{template.subject}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </section>
        {open !== null ? (
          <TemplateEditor
            key={open.key}
            template={open.template}
            language={language}
            onSaved={(template) => setOpen((now) => (now?.key === open.key ? { ...now, template } : now))}
            onClose={() => setOpen(null)}
          />
        ) : (
          <EmptyState
            icon={<MailPlus />}
            title={t(shown.length > 0 ? 'pick' : 'none')}
            hint={shown.length === 0 && t('noneHint')}
          />
        )}
      </div>
    </div>
  )
}

type TemplateEditorProps = {
  template: ReplyTemplate | null
  language: Language
  onSaved: (template: ReplyTemplate) => void
  onClose: () => void
}

function TemplateEditor({ template, language, onSaved, onClose }: TemplateEditorProps) {
  const t = useTranslations('templates')
  const common = useTranslations('common')
  const isAdmin = useCurrentUser()?.isAdmin === true
  const saved: Texts = template ?? { name: '', subject: '', body: '' }
  const [texts, setTexts] = useState(saved)
  const trimmed = { name: texts.name.trim(), subject: texts.subject.trim(), body: texts.body.trim() }
  const missing = (field: keyof Texts) => (trimmed[field] === '' ? t('missing') : null)
  const { form, errorOf, busy, problem } = useSaveForm({
    values: { ...trimmed, language },
    errors: { name: missing('name'), subject: missing('subject'), body: missing('body') },
    send: (body) =>
      template === null
        ? api('POST /api/templates', { body: isAdmin ? body : { ...body, isOwn: true } })
        : api('PUT /api/templates/[id]', { params: { id: template.id }, body }),
    done: t('saved'),
    refresh: 'GET /api/templates',
    onSaved,
  })
  const isUnsaved = form['data-unsaved'] === true
  return (
    <form {...form} className="grid grid-cols-1 gap-5 desk:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <TemplateFields
          texts={texts}
          language={language}
          isNew={template === null}
          errorOf={errorOf}
          onChange={(change) => setTexts({ ...texts, ...change })}
        />
        <ProblemText text={problem} />
        <div className="flex flex-wrap items-center gap-2">
          {template !== null && (
            <ConfirmButton
              text={t('remove')}
              variant="danger"
              ask={{ title: t('removeTitle', { name: template.name }), text: t('removeBody'), yes: t('remove') }}
              saving={{
                send: () => api('DELETE /api/templates/[id]', { params: { id: template.id } }),
                done: t('removed'),
                refresh: 'GET /api/templates',
                onSaved: onClose,
              }}
            />
          )}
          <span role="status" className="flex-1 text-right text-xs text-mute">
            {isUnsaved && t('unsaved')}
          </span>
          <Button
            text={t('discard')}
            disabled={!isUnsaved && template !== null}
            onClick={() => (template === null ? onClose() : setTexts(saved))}
          />
          <Button text={common('save')} type="submit" variant="primary" busy={busy} disabled={!isUnsaved} />
        </div>
      </div>
      <TemplatePreview texts={texts} language={language} />
    </form>
  )
}

type TemplateFieldsProps = {
  texts: Texts
  language: Language
  isNew: boolean
  errorOf: (field: keyof Texts) => string | undefined
  onChange: (change: Partial<Texts>) => void
}

type Control = HTMLInputElement | HTMLTextAreaElement

function TemplateFields({ texts, language, isNew, errorOf, onChange }: TemplateFieldsProps) {
  const t = useTranslations('templates')
  const last = useRef<Control>(null)
  const control = (name: keyof Texts) => ({
    label: t(`field.${name}`),
    error: errorOf(name),
    maxLength: MAX_TEMPLATE_LENGTH[name],
    value: texts[name],
    onChange: ({ target }: { target: Control }) => onChange({ [name]: target.value }),
  })
  const inMail = {
    lang: language,
    onFocus: ({ target }: { target: Control }) => {
      last.current = target
    },
  }
  return (
    <>
      <TextField {...control('name')} hint={t('nameHint')} autoFocus={isNew} />
      <TextField {...inMail} {...control('subject')} />
      <TextAreaField
        {...inMail}
        {...control('body')}
        ref={(field) => void (last.current ??= field)}
        rows={12}
        className="resize-y leading-relaxed"
      />
      <div role="group" aria-label={t('placeholders')} className="flex flex-wrap items-center gap-2 text-sm text-mute">
        <span aria-hidden>{t('placeholders')}</span>
        {PLACEHOLDERS.map((name) => (
          <Button
            key={name}
            text={t(`placeholder.${name}`)}
            size="sm"
            aria-label={t('insert', { name: t(`placeholder.${name}`) })}
            onClick={() => last.current && insert(`{${name}}`, last.current)}
          />
        ))}
        <p className="w-full text-xs text-pretty">{t('filledHint')}</p>
      </div>
    </>
  )
}

/** At the caret; at the end of a field that has had none. As if it was typed, so that React hears of it. */
function insert(text: string, field: Control): void {
  const { length } = field.value
  const isUntouched = document.activeElement !== field && field.selectionEnd === 0
  const start = isUntouched ? length : (field.selectionStart ?? length)
  const end = isUntouched ? length : (field.selectionEnd ?? start)
  if (length - (end - start) + text.length > field.maxLength) return
  field.focus()
  field.setRangeText(text, start, end, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function TemplatePreview({ texts, language }: { texts: Texts; language: Language }) {
  const t = useTranslations('templates')
  const format = useFormatter()
  const filled = useTranslations('templates.sampleValues')
  const holes = REQUIRED_PLACEHOLDERS.map((name) => [name, filled(name)] as const)
  const values = { firstName: t('sampleName'), school: t('sampleSchool'), ...Object.fromEntries(holes) }
  const subject = fillTemplate(texts.subject, values)
  const body = fillTemplate(texts.body, values)
  const unknown = unknownPlaceholders(`${texts.subject} ${texts.body}`)
  return (
    <section aria-label={t('preview')} className="flex min-w-0 flex-col gap-1.5">
      <h2 className="text-sm font-medium">{t('preview')}</h2>
      <div lang={language} className="rounded-lg border border-line bg-panel shadow-card">
        <p className="border-b border-line-soft px-4 py-2.5 font-medium wrap-anywhere">{subject || ' '}</p>
        <p className="min-h-40 px-4 py-3 leading-relaxed wrap-anywhere whitespace-pre-wrap">{body}</p>
      </div>
      {unknown.length > 0 && (
        <Notice size="xs" role="status">
          {t('unknownBraces', { names: format.list(unknown, { type: 'unit' }) })}
        </Notice>
      )}
    </section>
  )
}
