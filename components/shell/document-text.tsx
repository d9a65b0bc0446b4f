import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { useTranslations } from 'next-intl'
import { Fragment, type ReactNode } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import { PageHeader } from '@/components/ui/headings'
import { HelpParts } from './help-parts'
import type { Locale } from '@/lib/i18n/locale'

type DocumentScreenProps = {
  name: 'privacy' | 'security'
  markdown: string
  language: Locale
  locale: Locale
}

export function DocumentScreen({ name, markdown, language, locale }: DocumentScreenProps) {
  const t = useTranslations('documents')
  const { title, body, parts } = takeApart(markdown)
  const other = name === 'privacy' ? 'security' : 'privacy'
  const toOther = (
    <a href={`/admin/${other}`} className={buttonClass()}>
      {t(`${other}.title`)}
    </a>
  )
  return (
    <div className="page">
      <PageHeader title={t(`${name}.title`)} lead={t(`${name}.lead`)} action={toOther} />
      {language !== locale && <p className="max-w-prose text-sm text-mute">{t('otherLanguage')}</p>}
      <article lang={language} aria-label={title} className="flex flex-col gap-3 leading-6">
        <nav aria-label={t('parts')} lang={locale}>
          <DocumentParts parts={parts} />
        </nav>
        <DocumentText body={body} />
      </article>
    </div>
  )
}

export function HelpScreen({ markdown, locale }: { markdown: string; locale: Locale }) {
  const t = useTranslations('documents')
  const { title, body } = takeApart(markdown)
  const parts = chapters(body).map(({ heading, tokens }) => ({
    id: anchorOf(heading),
    title: heading.text,
    text: tokens.map(({ raw }) => raw).join(''),
    body: <DocumentText body={tokens} pictures={`/help/${locale}`} />,
  }))
  const found = Array.from({ length: parts.length + 1 }, (_, count) => t('help.found', { count }))
  return (
    <div className="page">
      <PageHeader title={t('help.title')} lead={t('help.lead')} />
      <HelpParts title={title} parts={parts} labels={{ find: t('help.find'), parts: t('parts'), found }} />
    </div>
  )
}

/** By headings of the second level; what is before the first is left out. */
function chapters(body: readonly Token[]): { heading: Tokens.Heading; tokens: Token[] }[] {
  const found: { heading: Tokens.Heading; tokens: Token[] }[] = []
  for (const token of body) {
    if (isHeading(token) && token.depth === 2) found.push({ heading: token, tokens: [token] })
    else found.at(-1)?.tokens.push(token)
  }
  return found
}

/** A Markdown document, taken apart for its screen. HTML in it is not shown, comments neither. */
function takeApart(markdown: string): { title: string; body: Token[]; parts: Tokens.Heading[] } {
  const tokens = lexer(markdown)
  const headings = tokens.filter(isHeading)
  const first = headings.find(({ depth }) => depth === 1)
  const parts = headings.filter(({ depth }) => depth === 2)
  return { title: first?.text ?? '', body: tokens.filter((token) => token !== first), parts }
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function anchorOf({ text }: Tokens.Heading): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-')
}

function DocumentParts({ parts }: { parts: readonly Tokens.Heading[] }) {
  return (
    <ul className="flex max-w-prose flex-wrap gap-x-4 gap-y-1 text-sm">
      {parts.map((part) => (
        <li key={part.text}>
          <a
            href={`#${anchorOf(part)}`}
            className="inline-block min-h-6 text-accent underline-offset-2 hover:underline"
          >
            {part.text}
          </a>
        </li>
      ))}
    </ul>
  )
}

type DocumentTextProps = {
  body: readonly Token[]
  /** The folder in which the pictures of the document lie; without one it has none. */
  pictures?: string
}

/** Drawn on the server: the browser gets neither the Markdown nor what reads it. */
function DocumentText({ body, pictures }: DocumentTextProps) {
  return withIds(body).map(([id, token], index) => {
    const picture = pictures && pictureOf(token)
    if (picture) return <Picture key={id} name={picture.href} text={picture.text} folder={pictures} />
    // A table is named by the heading above it.
    if (token.type !== 'table') return <Fragment key={id}>{renderToken(token as MarkedToken)}</Fragment>
    return <Table key={id} table={token as Tokens.Table} name={body.slice(0, index).findLast(isHeading)?.text ?? ''} />
  })
}

function pictureOf(token: Token): Tokens.Image | undefined {
  const [only, ...others] = token.type === 'paragraph' ? (token.tokens ?? []) : []
  return others.length === 0 && only?.type === 'image' ? (only as Tokens.Image) : undefined
}

/** In the colours that the page has; the browser fetches the one that is seen. On paper it is the light one. */
function Picture({ name, text, folder }: { name: string; text: string; folder: string }) {
  return (
    <figure className="my-2 flex flex-col gap-1.5">
      {(['light', 'dark'] as const).map((theme) => (
        // oxlint-disable-next-line nextjs/no-img-element -- it has its size already, and next/image would send a script
        <img
          key={theme}
          src={`${folder}/${name}-${theme}.webp`}
          alt={text}
          width={1280}
          height={800}
          loading="lazy"
          className={`h-auto w-full rounded-md border border-line ${LOOK[theme]}`}
        />
      ))}
    </figure>
  )
}

const LOOK = { light: 'not-print:dark:hidden', dark: 'hidden not-print:dark:block' } as const

/** A document that never changes has no better names for its parts than their places. */
function withIds<T>(parts: readonly T[]): [id: string, part: T][] {
  return parts.map((part, index) => [String(index), part])
}

function renderToken(token: MarkedToken): ReactNode {
  const inner = 'tokens' in token && token.tokens ? <DocumentText body={token.tokens} /> : null
  switch (token.type) {
    case 'heading':
      if (token.depth > 2) return <h3 className="mt-2 text-base font-semibold text-balance">{inner}</h3>
      return (
        <h2 id={anchorOf(token)} className="mt-4 scroll-mt-4 text-lg font-semibold text-balance">
          {inner}
        </h2>
      )
    case 'paragraph':
      return <p className="max-w-prose text-pretty">{inner}</p>
    case 'list':
      return <List {...token} />
    case 'blockquote':
      return (
        <blockquote className="flex max-w-prose flex-col gap-2 border-l-2 border-line pl-4 text-mute">
          {inner}
        </blockquote>
      )
    case 'code':
      return (
        <pre
          tabIndex={0}
          className="scroll-thin overflow-x-auto rounded-md border border-line bg-panel px-3 py-2 text-xs"
        >
          <code>{token.text}</code>
        </pre>
      )
    case 'strong':
      return <strong className="font-semibold">{inner}</strong>
    case 'em':
      return <em>{inner}</em>
    case 'codespan':
      return <Code text={token.text} />
    case 'link':
      return <Anchor href={token.href}>{inner}</Anchor>
    case 'br':
      return <br />
    case 'text':
      return inner ?? token.text
    case 'escape':
      return token.text
    default:
      return null
  }
}

function List({ ordered, items }: Tokens.List) {
  const rows = withIds(items).map(([id, item]) => (
    <li key={id} className="pl-1">
      <DocumentText body={item.tokens} />
    </li>
  ))
  const look = 'flex max-w-prose flex-col gap-1 pl-5'
  return ordered ? <ol className={`list-decimal ${look}`}>{rows}</ol> : <ul className={`list-disc ${look}`}>{rows}</ul>
}

/** Scrolls within itself where it is wider than the screen, and can be reached by the keyboard then. */
function Table({ table: { header, rows }, name }: { table: Tokens.Table; name: string }) {
  return (
    <div
      role="region"
      aria-label={name}
      tabIndex={0}
      className="scroll-thin overflow-x-auto rounded-md border border-line bg-panel"
    >
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line">
            {withIds(header).map(([id, cell]) => (
              <th key={id} scope="col" className="px-3 py-2 font-medium text-mute">
                <DocumentText body={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {withIds(rows).map(([row, cells]) => (
            <tr key={row} className="border-b border-line-soft last:border-b-0">
              {withIds(cells).map(([id, cell]) => (
                <td key={id} className="min-w-40 px-3 py-2 align-top text-pretty first:min-w-28">
                  <DocumentText body={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A long path breaks anywhere, a command only between its words: two hyphens must not come apart. */
function Code({ text }: { text: string }) {
  const words = text.split(' ')
  return (
    <code className="text-[0.92em] wrap-anywhere">
      {words.length === 1
        ? text
        : withIds(words).map(([id, word], index) => (
            <Fragment key={id}>
              {index > 0 && ' '}
              <span className="inline-block max-w-full">{word}</span>
            </Fragment>
          ))}
    </code>
  )
}

/** Files that lie beside the document are not served, so their names stay words. */
function Anchor({ href, children }: { href: string; children: ReactNode }) {
  if (!/^https:\/\/|^mailto:/.test(href)) return children
  return (
    <a href={href} rel="noreferrer" className="text-accent underline underline-offset-2">
      {children}
    </a>
  )
}
