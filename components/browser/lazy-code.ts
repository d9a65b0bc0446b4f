export type LazyCode<Code> = ReturnType<typeof lazyCode<Code>>

/** Code that is fetched when it is first wanted. `want` never throws: undefined says that it failed; the next wish tries again. */
export function lazyCode<Code>(load: () => Promise<Code>) {
  let code: Code | undefined
  return {
    read: () => code,
    want: async (): Promise<Code | undefined> => {
      try {
        return (code ??= await load())
      } catch {
        return undefined
      }
    },
  }
}
