/** What JSON can carry between a test and a page. */
type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain }

/** One tab of a browser that nobody has used before. Coordinates are those of the window, in CSS pixels. */
export type Tab = {
  /** Opens an address and waits until it is loaded. */
  goto: (url: string) => Promise<void>
  reload: () => Promise<void>
  /** Calls a function inside the page; it can use nothing from around it. */
  run: <Given extends Plain[], Answer>(inPage: (...given: Given) => Answer, ...given: Given) => Promise<Awaited<Answer>>
  /** Keys and pointer, as WebDriver writes them, in both of its protocols. */
  act: (sources: object[]) => Promise<void>
  resize: (width: number, height: number) => Promise<void>
  screenshot: () => Promise<Buffer>
  /** Everything that the page or the browser itself called an error so far, violated policies included. */
  errors: () => string[]
  close: () => Promise<void>
}

export type Browser = {
  newTab: () => Promise<Tab>
  /** The folder where files arrive. */
  downloads: string
  close: () => Promise<void>
}

/** Asks again and again until the answer is one that can be used, and throws the last problem when time is up. */
export async function until<Answer>(what: string, ask: () => Promise<Answer> | Answer, withinMs = 25_000) {
  const end = Date.now() + withinMs
  let problem: unknown
  while (Date.now() < end) {
    try {
      const answer = await ask()
      if (answer) return answer as Exclude<Answer, false | null | undefined | 0 | ''>
    } catch (error) {
      problem = error
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Waited in vain: ${what}`, { cause: problem })
}
