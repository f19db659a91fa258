/** Swagger UI, as much of it as is used here. */
declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => void;

// biome-ignore lint/suspicious/noExplicitAny: properties and results of components that are not ours
type ReactNode = any;

/** A function, or a class with a method `render`. */
// biome-ignore lint/suspicious/noExplicitAny: both can be called, each in its way
type Component = any;

interface React {
  readonly createElement: (type: Component, properties: object, ...children: readonly ReactNode[]) => ReactNode;
  readonly useMemo: <T>(make: () => T, dependencies: readonly unknown[]) => T;
}

/** What Swagger UI hands to every component. */
interface System {
  readonly getComponent: (name: string, isConnected: boolean) => Component;
  readonly specSelectors: {
    readonly loadingStatus: () => string | undefined;
    readonly info: () => ReadonlyMap<string, string>;
  };
}
