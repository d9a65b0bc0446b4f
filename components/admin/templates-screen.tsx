'use client'

import { useQuery } from '@tanstack/react-query'
import { MailPlus, Plus } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { type Dispatch, type SetStateAction, useRef, useState } from 'react'
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
type Shown = { language: Language; open: OpenTemplate | null }

/** Administrators change the templates for everybody and their own, others their own. */
export function TemplatesScreen({ initial }: { initial: ReplyTemplate[] }) {
  const t = useTranslations('templates')
  const { data } = useQuery({ ...templatesQuery, initialData: { templates: initial } })
  const [language, setLanguage] = useState<Language>(useLocale())
  const [open, setOpen] = useState<OpenTemplate | null>(null)
  const isAdmin = useCurrentUser()?.isAdmin === true
  const shown = data.templates.filter((template) => template.language === language && (isAdmin || template.isOwn))
  const show = (next: Shown) => {
    setLanguage(next.language)
    setOpen(next.open)
  }
  const openUnlessChanged = (next: Shown) => leaveForm(open !== null && isChanged(open), () => show(next))
  const openOne = (template: ReplyTemplate | null) => openUnlessChanged({ language, open: openTemplate(template) })
  const add = <Button icon={Plus} text={t('add')} variant="primary" onClick={() => openOne(null)} />
  const list = { shown, language, openId: open?.id ?? null, onOpen: openOne }
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} action={add} />
      <div className="grid grid-cols-1 items-start gap-5 desk:grid-cols-[17rem_minmax(0,1fr)]">
        <TemplateList {...list} onLanguage={(next) => openUnlessChanged({ language: next, open: null })} />
        {open !== null ? (
          <TemplateEditor key={open.id ?? 'new'} open={open} language={language} onOpen={setOpen} />
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

type TemplateListProps = {
  shown: readonly ReplyTemplate[]
  language: Language
  openId: string | null
  onLanguage: (language: Language) => void
  onOpen: (template: ReplyTemplate) => void
}

function TemplateList({ shown, language, openId, onLanguage, onOpen }: TemplateListProps) {
  const t = useTranslations('templates')
  return (
    <section aria-label={t('list')} className="flex flex-col gap-3">
      <Segments
        look="switch"
        label={t('languageLabel')}
        value={language}
        options={locales.map((value) => ({ value, text: t(`language.${value}`) }))}
        onChange={onLanguage}
      />
      {shown.length > 0 && (
        <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
          {shown.map((template) => (
            <li key={template.id} className="border-b border-line-soft last:border-b-0">
              <button
                type="button"
                lang={language}
                aria-current={template.id === openId || undefined}
                onClick={() => onOpen(template)}
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
  )
}

type Texts = Pick<NewTemplate, 'name' | 'subject' | 'body'>
/** A new one has no id. */
type OpenTemplate = { id: string | null; saved: Texts; texts: Texts }

function openTemplate(template: ReplyTemplate | null): OpenTemplate {
  const { name, subject, body } = template ?? { name: '', subject: '', body: '' }
  const texts = { name, subject, body }
  return { id: template?.id ?? null, saved: texts, texts }
}

function isChanged({ saved, texts }: OpenTemplate): boolean {
  const { name, subject, body } = trim(texts)
  return saved.name !== name || saved.subject !== subject || saved.body !== body
}

function trim({ name, subject, body }: Texts): Texts {
  return { name: name.trim(), subject: subject.trim(), body: body.trim() }
}

type TemplateEditorProps = {
  open: OpenTemplate
  language: Language
  onOpen: Dispatch<SetStateAction<OpenTemplate | null>>
}

function TemplateEditor({ open, language, onOpen }: TemplateEditorProps) {
  const t = useTranslations('templates')
  const common = useTranslations('common')
  const { id, saved, texts } = open
  const { form, errorOf, busy, problem } = useSaveTemplate(open, language, onOpen)
  const isUnsaved = isChanged(open)
  return (
    <form {...form} className="grid grid-cols-1 gap-5 desk:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <TemplateFields
          texts={texts}
          language={language}
          isNew={id === null}
          at={errorOf}
          onChange={(change) => onOpen({ ...open, texts: { ...texts, ...change } })}
        />
        <ProblemText text={problem} />
        <div className="flex flex-wrap items-center gap-2">
          {id !== null && <RemoveButton id={id} name={saved.name} onRemoved={() => onOpen(null)} />}
          <span role="status" className="flex-1 text-right text-xs text-mute">
            {isUnsaved && t('unsaved')}
          </span>
          <Button
            text={t('discard')}
            disabled={!isUnsaved && id !== null}
            onClick={() => onOpen(id === null ? null : { ...open, texts: saved })}
          />
          <Button text={common('save')} type="submit" variant="primary" busy={busy} disabled={!isUnsaved} />
        </div>
      </div>
      <TemplatePreview texts={texts} language={language} />
    </form>
  )
}

function useSaveTemplate({ id, texts }: OpenTemplate, language: Language, onOpen: TemplateEditorProps['onOpen']) {
  const t = useTranslations('templates')
  const isAdmin = useCurrentUser()?.isAdmin === true
  const trimmedTexts = trim(texts)
  const missing = (text: string) => (text === '' ? t('missing') : null)
  return useSaveForm({
    values: { ...trimmedTexts, language },
    errors: {
      name: missing(trimmedTexts.name),
      subject: missing(trimmedTexts.subject),
      body: missing(trimmedTexts.body),
    },
    send: (body) =>
      id === null
        ? api('POST /api/templates', { body: isAdmin ? body : { ...body, isOwn: true } })
        : api('PUT /api/templates/[id]', { params: { id }, body }),
    done: t('saved'),
    refresh: 'GET /api/templates',
    onSaved: (template) => onOpen((now) => (now?.id === id ? { ...openTemplate(template), texts: now.texts } : now)),
  })
}

function RemoveButton({ id, name, onRemoved }: { id: string; name: string; onRemoved: () => void }) {
  const t = useTranslations('templates')
  return (
    <ConfirmButton
      text={t('remove')}
      variant="danger"
      ask={{ title: t('removeTitle', { name }), text: t('removeBody'), yes: t('remove') }}
      saving={{
        send: () => api('DELETE /api/templates/[id]', { params: { id } }),
        done: t('removed'),
        refresh: 'GET /api/templates',
        onSaved: onRemoved,
      }}
    />
  )
}

type TemplateFieldsProps = {
  texts: Texts
  language: Language
  isNew: boolean
  at: (field: keyof Texts) => string | undefined
  onChange: (change: Partial<Texts>) => void
}

type Control = HTMLInputElement | HTMLTextAreaElement

function TemplateFields({ texts, language, isNew, at, onChange }: TemplateFieldsProps) {
  const t = useTranslations('templates')
  const last = useRef<Control>(null)
  const control = (name: keyof Texts) => ({
    label: t(`field.${name}`),
    error: at(name),
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
      <PlaceholderButtons onInsert={(text) => last.current && insert(text, last.current)} />
    </>
  )
}

function PlaceholderButtons({ onInsert }: { onInsert: (text: string) => void }) {
  const t = useTranslations('templates')
  return (
    <div role="group" aria-label={t('placeholders')} className="flex flex-wrap items-center gap-2 text-sm text-mute">
      <span aria-hidden>{t('placeholders')}</span>
      {PLACEHOLDERS.map((name) => (
        <Button
          key={name}
          text={t(`placeholder.${name}`)}
          size="sm"
          aria-label={t('insert', { name: t(`placeholder.${name}`) })}
          onClick={() => onInsert(`{${name}}`)}
        />
      ))}
      <p className="w-full text-xs text-pretty">{t('filledHint')}</p>
    </div>
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
