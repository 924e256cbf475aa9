import type { TlsSettings } from '../../lib/http/safe-http.js';

export interface RedisServer {
  readonly host: string;
  readonly port: number;
  /** Members of a cluster, instead of one server. */
  readonly cluster?: readonly { readonly host: string; readonly port: number }[];
  readonly database: number;
  readonly username: string;
  readonly password: string;
  readonly tls?: TlsSettings;
}

export interface RedisRequest {
  readonly command: string;
  readonly args: readonly string[];
}

/** Systems of `SqlNode` that have a driver. */
export type SqlSystem = 'mysql' | 'pg';

export interface SqlServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls?: TlsSettings;
}

/** One statement. Its result is a list of rows, or `undefined` if it returns none. */
export interface SqlRequest {
  readonly query: string;
}

export interface MongoServer {
  /** Connection string with the database. */
  readonly uri: string;
  /** Password in the connection string, which no message may contain. */
  readonly password: string;
}

export const MONGO_METHODS = [
  ...(['count', 'countDocuments', 'find', 'findOne', 'insertOne', 'insertMany', 'insert'] as const),
  ...(['updateOne', 'updateMany', 'update', 'replaceOne', 'deleteOne', 'deleteMany', 'remove'] as const),
  ...(['distinct', 'aggregate'] as const),
] as const;
export type MongoMethod = (typeof MONGO_METHODS)[number];

export interface MongoRequest {
  readonly collection: string;
  readonly method: MongoMethod;
  /** Plain values, in which extended JSON stands for the types of BSON. Times are dates. */
  readonly args: readonly unknown[];
}
